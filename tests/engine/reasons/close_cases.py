"""Pairs that assert_close is asked about, as texts that run with either engine as `t`."""

CALLS = """t.tensor([1., 2]), t.tensor([1., 2])
t.tensor([1., 2]), t.tensor([1., 2.001])
t.tensor([[1., 2], [3, 4]]), t.tensor([[1., 2], [3.5, 9]])
t.tensor([1., 2]), t.tensor([1., 2.001]), rtol=1e-2, atol=0
t.tensor([1., 2]), t.tensor([1., 2.001]), rtol=0, atol=0
t.tensor([1., 2]), t.tensor([1., 2.001]), rtol=1e-2
t.tensor([1., 2]), t.tensor([1., 2.001]), atol=1e-2
t.tensor([1, 2]), t.tensor([1, 3])
t.tensor([1, 2]), t.tensor([1., 2])
t.tensor([1, 2]), t.tensor([1., 2]), check_dtype=False
t.tensor([1, 2]), t.tensor([1., 2.5]), check_dtype=False
t.tensor([1., 2]), t.tensor([1., 2, 3])
t.tensor([[1., 2]]), t.tensor([1., 2])
t.tensor(1.), t.tensor(2.)
t.tensor(1.), t.tensor(0.)
t.tensor(True), t.tensor(False)
t.tensor([True, False]), t.tensor([True, True])
t.tensor([nan]), t.tensor([nan])
t.tensor([nan]), t.tensor([nan]), equal_nan=True
t.tensor([1., inf]), t.tensor([1., inf])
t.tensor([1., inf]), t.tensor([1., -inf])
t.tensor([1 + 2j]), t.tensor([1 + 2.5j])
t.tensor([1.], dtype=t.float64), t.tensor([1.0000001], dtype=t.float64)
t.tensor([1.], dtype=t.float64), t.tensor([1.00001], dtype=t.float64)
t.tensor([1.], dtype=t.bfloat16), t.tensor([1.01], dtype=t.bfloat16)
t.tensor([1.], dtype=t.float16), t.tensor([1.01], dtype=t.float16)
t.tensor([1., 2]), t.tensor([1., 2.001]), msg='mine'
t.tensor([1., 2]), t.tensor([1., 2.001]), msg=lambda m: 'before ' + m
t.zeros(2, 3).t(), t.zeros(3, 2)
t.zeros(2, 3).t(), t.zeros(3, 2), check_stride=True
1, 1
1, 2
1, 1.
1, 1., check_dtype=False
1., 1.0000001
1., 1.001
1., 0.
1 + 1j, 1 + 1j
True, True
True, False
None, None
None, 1
'a', 'a'
'a', 1
t.tensor(1.), 1.
1., t.tensor(1.)
[1, 2], [1, 2]
[1, 2], [1, 3]
[1, 2], [1, 2, 3]
[1, [2, 3.]], [1, [2, 4.]]
(1, 2), [1, 2]
[t.ones(2), t.zeros(2)], [t.ones(2), t.ones(2)]
{'a': 1}, {'a': 1}
{'a': 1, 'c': 2}, {'a': 1, 'b': 2}
{'a': [1, {'b': t.ones(2)}]}, {'a': [1, {'b': t.zeros(2)}]}
{'b': 1, 'a': 2}, {'b': 2, 'a': 3}
[t.ones(2)], t.ones(2)
[], []
t.tensor([]), t.tensor([])
t.eye(2).to_sparse(), t.eye(2).to_sparse()
t.eye(2).to_sparse(), t.eye(2)
t.eye(2).to_sparse(), t.eye(2), check_layout=False
t.eye(2).to_sparse(), (2 * t.eye(2)).to_sparse()
t.eye(2).to_sparse(), t.ones(2, 2).to_sparse()
t.eye(2).to_sparse_csr(), (2 * t.eye(2)).to_sparse_csr()
t.eye(2).to_sparse(), t.eye(2).flip(0).to_sparse()
t.arange(6).reshape(1, 2, 3), t.arange(6).reshape(1, 2, 3) ** 2
t.tensor([200], dtype=t.uint8), t.tensor([1], dtype=t.uint8)""".splitlines()
