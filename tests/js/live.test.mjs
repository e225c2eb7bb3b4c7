// The arithmetic and the manners of the live module, under node with no document at all.
import assert from 'node:assert/strict';
import test from 'node:test';

import { asking, heir, kept, textOf } from '../../tensorwidgets/live/page/controls.mjs';
import explorer from '../../tensorwidgets/live/page/live.mjs';
import { indexOf, saying, shade, spelled, under } from '../../tensorwidgets/live/page/sheet.mjs';

const slider = { low: 0, high: 3, below: 'no lower', beyond: 'no higher' };

test('a slider stops at its edges and has their words', () => {
  assert.deepEqual(kept(2, slider), [2, '']);
  assert.deepEqual(kept(3, slider), [3, '']);
  assert.deepEqual(kept(4, slider), [3, 'no higher']);
  assert.deepEqual(kept(-1, slider), [0, 'no lower']);
  assert.deepEqual(kept(7, { ...slider, low: 1, high: 0 }), [7, '']);
});

test('a slider says the texts of its values, or its number, and leaves to Python what only Python knows', () => {
  assert.equal(textOf(7, { least: 0, value: 3, shown: '3', texts: [] }), '7');
  assert.equal(textOf(7, { least: 0, value: 3, shown: '4 of 8', texts: [] }), null);
  assert.equal(textOf(-2, { least: -3, value: -3, shown: '0.5', texts: ['0.5', '0.6', '0.8'] }), '0.6');
});

const talk = () => {
  const sent = [];
  const queue = asking((question) => sent.push(question));
  return { sent, queue, answer: () => queue.answered(sent.at(-1).n) };
};

test('two questions about one slider are under way, and of those that wait the last is asked', () => {
  const { sent, queue, answer } = talk();
  for (let k = 1; k <= 50; k++) queue.ask('offset', k);
  assert.deepEqual(sent, [{ n: 1, name: 'offset', value: 1 }, { n: 2, name: 'offset', value: 2 }]);
  assert.equal(queue.busy(), true);
  assert.equal(queue.answered(1), true);
  assert.deepEqual(sent.at(-1), { n: 3, name: 'offset', value: 50 });
  assert.equal(queue.answered(1), false);
  assert.equal(queue.busy(), true);
  answer();
  assert.equal(sent.length, 3);
  assert.equal(queue.busy(), false);
});

test('a press and a question about another control wait until nothing is under way', () => {
  const { sent, queue, answer } = talk();
  queue.ask('a', 1);
  queue.ask('t', null, true);
  queue.ask('a', 2);
  assert.deepEqual(sent.map((one) => one.name), ['a']);
  answer();
  assert.deepEqual(sent.map((one) => one.name), ['a', 't']);
  answer();
  assert.deepEqual(sent.map((one) => [one.name, one.value]), [['a', 1], ['t', null], ['a', 2]]);
});

test('presses wait in a row, and none is lost', () => {
  const { sent, queue, answer } = talk();
  for (const name of ['t', 't', 'slice', 't']) queue.ask(name, null, true);
  while (queue.busy()) answer();
  assert.deepEqual(sent.map((one) => one.name), ['t', 't', 'slice', 't']);
  assert.deepEqual(sent.map((one) => one.n), [1, 2, 3, 4]);
});

test('sliders and presses keep their order', () => {
  const { sent, queue, answer } = talk();
  queue.ask('a', 1);
  queue.ask('b', 1);
  queue.ask('press', null, true);
  queue.ask('b', 2);
  while (queue.busy()) answer();
  assert.deepEqual(sent.map((one) => [one.name, one.value]), [['a', 1], ['b', 2], ['press', null]]);
});

test('what is known of a control is out of date while an answer about another is to come', () => {
  const { queue, answer } = talk();
  assert.equal(queue.stale('a'), false);
  queue.ask('a', 1);
  assert.equal(queue.stale('a'), false);
  assert.equal(queue.stale('b'), true);
  queue.ask('b', 1);
  assert.equal(queue.stale('a'), true);
  answer();
  assert.equal(queue.stale('a'), true);
  assert.equal(queue.stale('b'), false);
  answer();
  assert.equal(queue.stale('a'), false);
});

test('where nobody can hear a question, none is under way and none waits', () => {
  const sent = [];
  let deaf = true;
  const queue = asking((question) => (sent.push(question), !deaf));
  queue.ask('t', null, true);
  queue.ask('offset', 3);
  assert.deepEqual(sent.map((one) => one.name), ['t', 'offset']);
  assert.deepEqual([queue.busy(), queue.stale('t')], [false, false]);
  deaf = false;
  queue.ask('offset', 4);
  queue.ask('t', null, true);
  assert.deepEqual([queue.busy(), sent.length], [true, 3]);
});

test('a control that is gone leaves the focus to the next in its row, else to the one before it', () => {
  const row = (group, ...names) => names.map((name) => ({ name, group }));
  const before = [...row('size', 'size', 'allocate'), ...row('free', 'free a', 'free b', 'empty'), ...row('step', 'back')];
  const left = (...gone) => before.filter(({ name }) => !gone.includes(name));
  assert.equal(heir(before, 'free a', left('free a')), 'free b');
  assert.equal(heir(before, 'free b', left('free a', 'free b')), 'empty');
  assert.equal(heir(before, 'empty', left('empty')), 'free b');
  assert.equal(heir(before, 'free b', row('step', 'back')), 'back');
  assert.equal(heir(before, 'back', left('back')), 'empty');
  assert.equal(heir(before, 'back', []), undefined);
});

test('what was given up is asked again when a person tries again, and once for all', () => {
  const { sent, queue, answer } = talk();
  queue.ask('t', null, true);
  for (let k = 0; k < 9; k++) queue.again();
  assert.deepEqual(sent.map(({ n, again }) => [n, again]), [[1, undefined], [1, true], [1, true], [1, true]]);
  queue.ask('slice', null, true);
  queue.ask('t', null, true);
  assert.deepEqual([sent.length, sent.at(-1)], [5, { n: 1, name: 't', value: null, again: true }]);
  while (queue.busy()) answer();
  assert.deepEqual(sent.slice(5).map(({ n, name }) => [n, name]), [[2, 'slice'], [3, 't']]);
});

const sheet = {
  rows: 250, columns: 400, count: 100000, every: [1, 1], dims: [[250, 400], [400, 1]], offset: 0, itemsize: 4, label: 'x',
  unit: 'offset', scale: 2, low: 0, high: 1, shades: [['#000000', '#888888', '#ffffff'], []],
};

test('a point is a cell, and beside the canvas there is none', () => {
  assert.deepEqual(under(sheet, 0, 0), [0, 0]);
  assert.deepEqual(under(sheet, 799.9, 499.9), [249, 399]);
  assert.deepEqual(under(sheet, 3, 5), [2, 1]);
  for (const [x, y] of [[800, 0], [0, 500], [-1, 0], [0, -0.1]]) assert.equal(under(sheet, x, y), null);
});

test('the end of the last line of a vector is no cell', () => {
  const vector = { ...sheet, rows: 3, columns: 400, count: 1001, dims: [[1001, 2]] };
  assert.deepEqual(under(vector, 0, 4), [2, 0]);
  assert.deepEqual(indexOf(vector, [2, 200]), [1000]);
  assert.equal(under(vector, 402, 4), null);
});

test('a hover says what every picture says', () => {
  assert.equal(saying(sheet, indexOf(sheet, [12, 5])), 'offset = 0 + 12*400 + 5*1 = 4805 -> bytes 19220..19223');
  const turned = { ...sheet, dims: [[400, 1], [250, 400]], offset: 3, itemsize: 1 };
  assert.equal(saying(turned, [1, 2]), 'offset = 3 + 1*1 + 2*400 = 804 -> byte 804');
  const packed = { ...sheet, dims: [[9, 10], [9, 3]], offset: 1, itemsize: 8, unit: 'byte' };
  assert.equal(saying(packed, [1, 2]), 'byte = 1 + 1*10 + 2*3 = 17 -> bytes 17..24');
  assert.equal(saying({ ...sheet, dims: [] }, []), 'offset = 0 -> bytes 0..3');
});

test('a number is as short as its type tells it from the next, and a long integer is told as about', () => {
  const single = { kind: 'float', bits: 23 };
  const half = { kind: 'float', bits: 10 };
  const double = { kind: 'float', bits: 52 };
  assert.deepEqual([0.1, 1 / 3, 16777216, -2.5e-30].map((v) => spelled(Math.fround(v), single)), ['0.1', '0.33333334', '16777216', '-2.5e-30']);
  assert.deepEqual([0.0999755859375, 1.099609375, 2048, 65504].map((v) => spelled(v, half)), ['0.1', '1.1', '2048', '65504']);
  assert.deepEqual([0.1, 0.1 + 0.2, 5e-324, 1e22].map((v) => spelled(v, double)), ['0.1', '0.30000000000000004', '5e-324', '1e+22']);
  assert.deepEqual([NaN, Infinity, -Infinity, -0, 0].map((v) => spelled(v, single)), ['nan', 'inf', '-inf', '-0', '0']);
  const whole = { kind: 'int', bits: 0 };
  assert.deepEqual([7, -(2 ** 53) + 1, 2 ** 60].map((v) => spelled(v, whole)), ['7', '-9007199254740991', 'about 1152921504606847000']);
  assert.deepEqual([0, 1].map((v) => spelled(v, { kind: 'bool', bits: 0 })), ['False', 'True']);
});

test('passed-over rows and leading dimensions count in the index', () => {
  const sampled = { ...sheet, every: [8, 3], dims: [[5, 9], [2000, 1], [3000, 2]] };
  assert.deepEqual(indexOf(sampled, [2, 4]), [0, 16, 12]);
});

test('shades end at both ends, and what is no number has none', () => {
  assert.deepEqual([0, 0.5, 1, 2, -1].map((v) => shade(v, sheet)), [0, 1, 2, 2, 0]);
  for (const odd of [NaN, Infinity, -Infinity]) assert.equal(shade(odd, sheet), -1);
  assert.equal(shade(5, { ...sheet, low: 5, high: 5 }), 0);
});

test('the module is what anywidget asks for', () => {
  const made = explorer();
  assert.deepEqual(Object.keys(made).sort(), ['initialize', 'render']);
  assert.notEqual(explorer(), made);
});
