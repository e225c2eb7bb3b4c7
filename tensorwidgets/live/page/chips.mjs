/**
 * Names of dimensions as chips that are dragged to another place among their neighbours, or moved by Shift with an arrow.
 * The page shows the new order while a chip is in hand; Python makes the call that leads to it.
 */

/**
 * The places of the others while one is dragged from `from` to `to`: how far each moves, in places.
 * @param {number} count
 * @param {number} from
 * @param {number} to
 * @returns {number[]}
 */
export const shifts = (count, from, to) =>
  Array.from({ length: count }, (_, k) => (k > from && k <= to ? -1 : k < from && k >= to ? 1 : 0));

/** The place whose middle is nearest. @param {number} x @param {number[]} middles */
export const nearest = (x, middles) =>
  middles.reduce((best, middle, k) => (Math.abs(middle - x) < Math.abs(middles[best] - x) ? k : best), 0);

/** Pixels after which a press is a drag, and no click. */
const SLACK = 4;

/**
 * @param {{stage: HTMLElement, on: Function, ask: Function}} parts
 */
export const chips = ({ stage, on, ask }) => {
  /** The chips of the picture: which tensor, which place, which name. @type {Record<string, [number, number, string]>} */
  let known = {};
  let drag = null;
  let dragged = false;
  /** The tensor and the name of the chip that was moved last, which keeps the focus. */
  let carried = '';
  const placeOf = (cell) => cell && known[cell.note?.[0]];
  /** The chips of one tensor in a row, by their places. */
  const row = (cell) => {
    const mine = [...cell.closest('tr').querySelectorAll('.tw-cell')].filter((c) => placeOf(c)?.[0] === placeOf(cell)[0]);
    return mine.sort((a, b) => placeOf(a)[1] - placeOf(b)[1]);
  };
  // By how many places, and not to which: moves before this one may still wait for their answer.
  const move = (cell, by) => {
    const [which, , name] = placeOf(cell);
    carried = `${which} ${name}`;
    ask('chip', `${which} ${by} ${name}`, true);
  };
  const show = () => {
    const { all, at, to, x, from } = drag;
    const by = shifts(all.length, at, to);
    const pitch = all.length > 1 ? Math.abs(drag.middles[1] - drag.middles[0]) : 0;
    all.forEach((chip, k) => (chip.style.transform = k === at ? `translateX(${x - from}px)` : `translateX(${by[k] * pitch}px)`));
  };
  on(stage, 'pointerdown', (event) => {
    dragged = false;
    const cell = event.target.closest?.('.tw-cell');
    if (event.button || !placeOf(cell)) return;
    const all = row(cell);
    const middles = all.map((c) => c.getBoundingClientRect()).map((box) => box.x + box.width / 2);
    drag = { cell, all, middles, at: all.indexOf(cell), to: all.indexOf(cell), from: event.clientX, x: event.clientX, id: event.pointerId };
  });
  on(stage, 'pointermove', (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    if (!dragged && Math.abs(event.clientX - drag.from) < SLACK) return;
    if (!dragged) drag.cell.setPointerCapture(drag.id);
    dragged = true;
    drag.x = event.clientX;
    drag.to = nearest(drag.middles[drag.at] + drag.x - drag.from, drag.middles);
    drag.cell.classList.add('twl-carried');
    show();
  });
  const end = (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { cell, all, to } = drag;
    drag = null;
    cell.classList.remove('twl-carried');
    if (!dragged) return;
    if (event.type === 'pointerup' && to !== all.indexOf(cell)) move(cell, placeOf(all[to])[1] - placeOf(cell)[1]);
    else for (const chip of all) chip.style.transform = '';
  };
  on(stage, 'pointerup', end);
  on(stage, 'pointercancel', end);
  // The click that ends a drag selects nothing.
  on(stage, 'click', (event) => {
    if (dragged) event.stopPropagation();
    dragged = false;
  }, { capture: true });
  on(stage, 'keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const cell = event.target.closest('.tw-cell');
    if (!by || !event.shiftKey || !placeOf(cell)) return;
    event.preventDefault();
    event.stopPropagation();
    const all = row(cell);
    const next = all[all.indexOf(cell) + by];
    move(cell, next ? placeOf(next)[1] - placeOf(cell)[1] : by);
  }, { capture: true });
  return {
    /** A new picture, and whether another is still to come. @param {typeof known | undefined} fresh @param {boolean} more */
    draw(fresh, more) {
      known = fresh || {};
      drag = null;
      for (const cell of stage.querySelectorAll('.tw-cell')) {
        const place = placeOf(cell);
        if (!place) continue;
        cell.classList.add('twl-chip');
        cell.setAttribute('aria-description', 'Drag it, or press Shift with an arrow key, to move this dimension.');
        if (carried !== `${place[0]} ${place[2]}`) continue;
        if (!more) carried = '';
        cell.focus({ preventScroll: true });
      }
    },
  };
};
