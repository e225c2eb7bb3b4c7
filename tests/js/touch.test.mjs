// The arithmetic of grips, under node with no document at all.
import assert from 'node:assert/strict';
import test from 'node:test';

import { called, draggedTo, keyedTo, mask, reads, replaced, resheeted, sheetNumbers } from '../../tensorwidgets/live/page/touch.mjs';

const numbers = { size: [3, 4], stride: [4, 1], offset: 0 };

test('one number is replaced, the others stay', () => {
  assert.deepEqual(replaced(numbers, 'size 1', 2), { size: [3, 2], stride: [4, 1], offset: 0 });
  assert.deepEqual(replaced(numbers, 'stride 0', 8), { size: [3, 4], stride: [8, 1], offset: 0 });
  assert.deepEqual(replaced(numbers, 'offset', 5), { size: [3, 4], stride: [4, 1], offset: 5 });
  assert.deepEqual(numbers, { size: [3, 4], stride: [4, 1], offset: 0 });
});

test('a view reads its elements in order, the last index fastest', () => {
  assert.deepEqual(reads({ size: [2, 3], stride: [1, 4], offset: 1 }), [1, 5, 9, 2, 6, 10]);
  assert.deepEqual(reads({ size: [3], stride: [-2], offset: 8 }), [8, 6, 4]);
  assert.deepEqual(reads({ size: [2, 2], stride: [0, 1], offset: 3 }), [3, 4, 3, 4]);
  assert.deepEqual(reads({ size: [], stride: [], offset: 7 }), [7]);
  assert.deepEqual(reads({ size: [3, 0], stride: [1, 1], offset: 0 }), []);
  assert.deepEqual(reads({ size: [9], stride: [1], offset: 0 }, 4), [0, 1, 2, 3]);
});

test('a mask marks what is read, once each, and nothing beside the memory', () => {
  const marked = (view) => [...mask(view, 12)].flatMap((hit, k) => (hit ? [k] : []));
  for (const view of [
    { size: [2, 3], stride: [1, 4], offset: 1 }, { size: [5, 2], stride: [0, 3], offset: 2 }, { size: [], stride: [], offset: 7 },
    { size: [3], stride: [-2], offset: 8 }, { size: [0, 3], stride: [1, 1], offset: 0 }, { size: [2, 2, 2], stride: [6, 2, 1], offset: 0 },
  ])
    assert.deepEqual(marked(view), [...new Set(reads(view))].sort((a, b) => a - b));
  assert.deepEqual(marked({ size: [4], stride: [5], offset: 5 }), [5, 10]);
});

test('pixels are steps of a value', () => {
  assert.equal(draggedTo(4, 88, 44), 6);
  assert.equal(draggedTo(4, -21, 44), 4);
  assert.equal(draggedTo(0, 100, 0.01), 10000);
});

test('keys move a grip the way that they point', () => {
  const spec = { low: 0, high: 9 };
  const press = (key, more = {}, down = false) => keyedTo(5, { key, ...more }, spec, down);
  assert.deepEqual(['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown'].map((key) => press(key)), [6, 4, 6, 4]);
  assert.deepEqual([press('ArrowUp', {}, true), press('ArrowDown', {}, true)], [4, 6]);
  assert.deepEqual([press('ArrowRight', { shiftKey: true }), press('PageUp'), press('PageDown')], [15, 15, -5]);
  assert.deepEqual([press('Home'), press('End'), press('a')], [0, 9, null]);
});

test('a grip says what it moves', () => {
  assert.equal(called('size 1'), 'size of dim 1');
  assert.match(called('offset'), /where the view starts/);
});

test('a sheet with other numbers is read from the same memory', () => {
  const sheet = { every: [1, 1], line: 4, scale: 2 };
  const memory = Float64Array.from({ length: 12 }, (_, k) => 10 * k);
  const two = resheeted(sheet, { size: [2, 3], stride: [1, 4], offset: 1 });
  assert.deepEqual([two.rows, two.columns, two.count, two.scale], [2, 3, 6, 2]);
  assert.deepEqual([...sheetNumbers(two, memory)], [10, 50, 90, 20, 60, 100]);
  const line = resheeted(sheet, { size: [6], stride: [2], offset: 0 });
  assert.deepEqual([line.rows, line.columns, line.count], [2, 4, 6]);
  assert.deepEqual([...sheetNumbers(line, memory)], [0, 20, 40, 60, 80, 100, NaN, NaN]);
  assert.ok(sheetNumbers(resheeted(sheet, { size: [1, 2], stride: [1, 9], offset: 6 }), memory).some(Number.isNaN));
  assert.equal(resheeted({ ...sheet, every: [2, 3] }, { size: [5, 7], stride: [7, 1], offset: 0 }).count, 9);
});
