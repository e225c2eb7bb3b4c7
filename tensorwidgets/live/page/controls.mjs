/**
 * Controls: their edges, the questions that they ask Python, and the elements that they are.
 *
 * @typedef {{kind: string, name: string, label: string, group: string, [fact: string]: any}} Control
 */

import { SUPPRESS, make } from './elements.mjs';

/**
 * A slider's value inside its edges, and the words for the edge that it was pushed over. Where nothing is legal it moves
 * freely: one of the others has to be moved too.
 * @param {number} value
 * @param {Control} spec
 * @returns {[number, string]}
 */
export const kept = (value, spec) => {
  if (spec.low > spec.high) return [value, ''];
  if (value < spec.low) return [spec.low, spec.below];
  if (value > spec.high) return [spec.high, spec.beyond];
  return [value, ''];
};

/**
 * What a slider's value is called: its own text, the number, or null where only Python knows.
 * @param {number} value
 * @param {Control} spec
 * @returns {string | null}
 */
export const textOf = (value, spec) => {
  if (spec.texts.length) return spec.texts[value - spec.least] ?? null;
  return spec.shown === String(spec.value) ? String(value) : null;
};

/**
 * The control that takes the focus of one that is gone: the next in its row, else the one before it, else the nearest.
 * @param {Control[]} before  the controls with the one that is gone
 * @param {string} name
 * @param {Control[]} after  those that are left
 * @returns {string | undefined}
 */
export const heir = (before, name, after) => {
  const at = before.findIndex((one) => one.name === name);
  const [next, last] = [before.slice(at + 1), before.slice(0, at).reverse()];
  const beside = (one) => one.group === before[at].group;
  const there = (one) => after.some(({ name }) => name === one.name);
  return [...next.filter(beside), ...last.filter(beside), ...next, ...last].find(there)?.name;
};

/** How often a question without an answer is asked again. */
const AGAIN = 3;

/**
 * Questions to Python, one under way at a time; two about one slider, so that the next is answered while the last is
 * drawn. Of several that wait about one slider or one line only the last is asked; presses wait in a row.
 * @param {(question: {n: number, name: string, value: any, again?: boolean}) => any} send  false where nobody can hear it
 */
export const asking = (send) => {
  let newest = 0;
  /** @type {{n: number, name: string, value: any, press: boolean, left: number}[]} */
  let flying = [];
  /** @type {{name: string, value: any, press: boolean}[]} */
  let waiting = [];
  const goes = (one) => !flying.length || (flying.length < 2 && !one.press && !flying[0].press && flying[0].name === one.name);
  const next = () => {
    while (waiting.length && goes(waiting[0])) {
      const { name, value, press } = waiting.shift();
      newest += 1;
      flying.push({ n: newest, name, value, press, left: AGAIN });
      if (send({ n: newest, name, value }) === false) [flying, waiting] = [[], []];
    }
  };
  const again = () => {
    for (const one of flying) if (one.left-- > 0) send({ n: one.n, name: one.name, value: one.value, again: true });
  };
  return {
    /** Whether an answer is still to come. */
    busy: () => flying.length > 0,
    /** Whether an answer about another control is still to come, so that what is known of this one may be out of date. */
    stale: (name) => [...flying, ...waiting].some((one) => one.name !== name),
    ask(name, value, press = false) {
      const same = waiting.findIndex((one) => one.name === name && !press && !one.press);
      if (same >= 0) waiting[same].value = value;
      else waiting.push({ name, value, press });
      // What was given up is asked once more when a person tries again.
      if (flying.at(-1)?.left < 0) {
        for (const one of flying) one.left = AGAIN;
        again();
      }
      next();
    },
    /** Ask once more what was asked and not answered: on a busy machine a message can be lost. */
    again,
    answered(n) {
      const before = flying.length;
      flying = flying.filter((one) => one.n > n);
      if (flying.length === before) return false;
      next();
      return true;
    },
  };
};

/** One control as an element that can be told anew. */
export const control = (spec, on, { ask, stale, busy }, edge, specOf) => {
  const box = make(['button', 'play'].includes(spec.kind) ? 'button' : 'label', `twl-${spec.kind}`);
  const name = make('span', 'twl-name');
  let now = spec;
  let tell;
  if (spec.kind === 'button') {
    box.type = 'button';
    on(box, 'click', () => {
      edge('');
      ask(now.name, null, true);
    });
    tell = () => {
      box.textContent = now.label;
      box.title = now.code;
      if (now.pressed !== null) box.ariaPressed = String(now.pressed);
    };
  } else if (spec.kind === 'play') {
    box.type = 'button';
    let timer = 0;
    const next = () => {
      const of = specOf(now.of);
      if (!of || !box.isConnected || of.value >= of.high) return pause();
      if (!busy()) ask(now.of, of.value + 1);
    };
    const pause = () => {
      clearInterval(timer);
      timer = 0;
      tell();
    };
    on(box, 'click', () => {
      if (timer) return pause();
      const of = specOf(now.of);
      timer = setInterval(next, now.every);
      ask(now.of, of.value < of.high ? of.value + 1 : of.low);
      tell();
    });
    tell = () => {
      box.textContent = timer ? '❚❚ pause' : now.label;
      box.title = now.code;
    };
  } else if (spec.kind === 'slider') {
    const input = make('input');
    const out = make('output');
    let room = 0;
    let sent = spec.value;
    input.type = 'range';
    // The slider says its value itself, and a change of an `output` would be read aloud as well.
    out.ariaHidden = 'true';
    box.append(name, input, out);
    on(input, 'blur', () => edge(''));
    on(input, 'input', () => {
      // The edges depend on the other controls: until Python has answered about those, it is Python that decides.
      const [value, words] = stale(now.name) ? [+input.value, ''] : kept(+input.value, now);
      const text = textOf(value, now);
      input.value = String(value);
      if (text !== null) out.textContent = text;
      input.ariaValueText = text ?? String(value);
      edge(words);
      if (value !== sent || words === '') ask(now.name, (sent = value));
    });
    tell = (calm) => {
      name.textContent = now.label;
      name.className = `twl-name${now.hue === null ? '' : ` twl-hue${now.hue % 4}`}`;
      [input.min, input.max] = [String(now.least), String(now.most)];
      const part = (value) => `${Math.round(((value - now.least) / Math.max(now.most - now.least, 1)) * 1000) / 10}%`;
      input.style.setProperty('--low', part(now.low));
      input.style.setProperty('--high', part(Math.max(now.low, now.high)));
      // The longest text so far keeps its room, so that what is beside it stays where it is.
      room = Math.max(room, now.shown.length, ...now.texts.map((text) => text.length));
      out.style.minWidth = `max(32px, ${room}ch)`;
      if (calm) sent = now.value;
      const follows = textOf(now.value, now) === null && input.value === String(now.value);
      if (calm || follows || input.getRootNode().activeElement !== input) {
        input.value = String(now.value);
        input.ariaValueText = now.shown;
        out.textContent = now.shown;
      }
    };
  } else if (spec.kind === 'text') {
    const input = make('input');
    input.type = 'text';
    input.spellcheck = false;
    input.autocomplete = 'off';
    box.append(name, input);
    let sent = (input.value = spec.value);
    const say = () => input.value !== sent && ask(now.name, (sent = input.value));
    on(input, spec.done ? 'change' : 'input', say);
    // JupyterLab keeps Enter from being typed in a cell, and so the browser takes it for no change.
    on(input, 'keydown', (e) => e.key === 'Enter' && say());
    tell = (calm) => {
      name.textContent = now.label;
      input.size = now.wide;
      input.ariaInvalid = String(now.wrong);
      // What is being typed is the person's, until Python says something else than what it was told.
      const typing = input.getRootNode().activeElement === input;
      if (calm && (!typing || (now.value !== sent && now.value !== input.value))) input.value = sent = now.value;
    };
  } else {
    const select = make('select');
    box.append(name, select);
    on(select, 'change', () => ask(now.name, select.value));
    tell = (calm) => {
      name.textContent = now.label;
      const others = [...select.options].map((one) => one.value).join('\n') !== now.choices.join('\n');
      if (others) select.replaceChildren(...now.choices.map((one) => new Option(one, one)));
      if (calm || others) select.value = now.value;
    };
  }
  const field = box.querySelector('input, select') || box;
  for (const e of [box, field]) e.setAttribute(SUPPRESS, 'true');
  box.dataset.name = spec.name;
  return {
    box,
    field,
    kind: spec.kind,
    tell(fresh, calm) {
      now = fresh;
      name.hidden = !now.label;
      if (field !== box) field.ariaLabel = `${now.group} ${now.label}`.trim();
      tell(calm);
    },
  };
};
