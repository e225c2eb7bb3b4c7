"""What does every module own and do? Members, a tree, a state, hooks: each file adds one, and `module` is the sum."""
