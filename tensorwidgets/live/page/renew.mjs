/** The next picture in the place of the last: what stays on the page, and what was in hand. */

/** What is in hand in a picture, so that it can be put back into the next. */
export const held = (stage) => {
  const root = stage.firstElementChild;
  const tables = () => [...stage.querySelectorAll('.tw-view,table')];
  const whereabouts = (cell) => cell && { name: cell.note?.[0], table: tables().indexOf(cell.closest('.tw-view,table')) };
  const focused = stage.getRootNode().activeElement;
  return {
    focused: stage.contains(focused) ? whereabouts(focused) : null,
    hovered: stage.matches(':hover') ? whereabouts(stage.querySelector('.tw-src')) : null,
    scroll: root?.scrollLeft ?? 0,
  };
};

/** The cell of that name, in the same table where it is still there. */
export const found = (stage, { name, table }) => {
  const all = [...stage.querySelectorAll('.tw-cell')].filter((c) => c.note?.[0] === name);
  const tables = [...stage.querySelectorAll('.tw-view,table')];
  return all.find((c) => c.closest('.tw-view,table') === tables[table]) || all[0];
};

/** Takes away what the waker marked, so that it can wake this picture again. */
export const asleep = (stage) => {
  for (const table of stage.querySelectorAll('[role=grid]')) table.removeAttribute('role');
  for (const cell of stage.querySelectorAll('.tw-hot,.tw-pin')) cell.classList.remove('tw-hot', 'tw-src', 'tw-pin');
};

/** What the waker fills by itself: made anew with every picture. */
export const FILLED = '.tw-say,.tw-hops,.tw-at,.tw-src';

/**
 * Puts the new parts of a picture in the place of the old ones. What is the same stays on the page as it is, and the
 * browser lays out the rest only.
 * @param {Element} shown  what is on the page, awake
 * @param {Element} old  the same as it was drawn
 * @param {Element} fresh  as it is drawn now
 */
export const renew = (shown, old, fresh) => {
  const filled = fresh.matches(FILLED);
  if (old.isEqualNode(fresh) && !filled && !fresh.querySelector(FILLED)) return;
  const inside = [...shown.children].filter((one) => one.tagName !== 'STYLE');
  const [before, after] = [old, fresh].map((one) => [...one.childNodes]);
  // Only elements inside, and on the page as many as were drawn.
  const parts = after.length > 0 && after.length === fresh.children.length && before.length === old.children.length && before.length === inside.length;
  if (filled || !parts || !old.cloneNode().isEqualNode(fresh.cloneNode())) return void shown.replaceWith(fresh.cloneNode(true));
  inside.slice(after.length).forEach((one) => one.remove());
  after.forEach((one, k) => (k < inside.length ? renew(inside[k], before[k], one) : shown.append(one.cloneNode(true))));
};
