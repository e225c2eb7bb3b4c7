// Where chips go while one of them is carried, under node with no document at all.
import assert from 'node:assert/strict';
import test from 'node:test';

import { nearest, shifts } from '../../tensorwidgets/live/page/chips.mjs';

test('the others make room', () => {
  assert.deepEqual(shifts(4, 0, 2), [0, -1, -1, 0]);
  assert.deepEqual(shifts(4, 3, 1), [0, 1, 1, 0]);
  assert.deepEqual(shifts(3, 1, 1), [0, 0, 0]);
});

test('the place is the nearest', () => {
  assert.equal(nearest(120, [50, 150, 250]), 1);
  assert.equal(nearest(-40, [50, 150, 250]), 0);
  assert.equal(nearest(999, [50, 150, 250]), 2);
});
