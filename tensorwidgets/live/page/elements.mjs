/** Elements of a page, made and put in order. */

export const SUPPRESS = 'data-lm-suppress-shortcuts';

/** @param {string} name @param {string} [cls] @param {string} [text] */
export const make = (name, cls = '', text = '') => {
  const made = document.createElement(name);
  if (cls) made.className = cls;
  if (text) made.textContent = text;
  return made;
};

/**
 * Gives an element these children in this order, and leaves in place what stands right: what is moved loses the focus.
 * @param {Element} parent
 * @param {Element[]} wanted
 */
export const arrange = (parent, wanted) => {
  for (const child of [...parent.children]) if (!wanted.includes(child)) child.remove();
  wanted.forEach((child, k) => parent.children[k] === child || parent.insertBefore(child, parent.children[k] || null));
};
