/**
 * Texts below the elements of a selector that lie on each other: their picture, their first words, and the pixels that
 * both cover. What is hidden by an edge does not count.
 * Used as a function by Playwright: it takes the selector.
 */
(selector) => {
  const found = [];
  const edgeOf = (element, root) => {
    for (let one = element; one !== root; one = one.parentElement)
      if (getComputedStyle(one).overflowX !== 'visible') return one.getBoundingClientRect();
    return { right: Infinity, bottom: Infinity };
  };
  const placed = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), out = [];
    while (walker.nextNode()) {
      const text = walker.currentNode, words = text.data.replace(/\u200b/g, '').trim();
      if (!words || !text.parentElement.checkVisibility({ checkVisibilityCSS: true })) continue;
      const edge = edgeOf(text.parentElement, root), range = document.createRange();
      range.selectNodeContents(text);
      for (const { left, top, right, bottom, width } of range.getClientRects())
        if (width >= 1 && top < edge.bottom - 1 && left < edge.right - 1)
          out.push({ text, words: words.slice(0, 20), left, top, right: Math.min(right, edge.right), bottom });
    }
    return out;
  };
  for (const [picture, root] of [...document.querySelectorAll(selector)].entries()) {
    const texts = placed(root).sort((a, b) => a.top - b.top);
    texts.forEach((a, k) => {
      for (let j = k + 1; j < texts.length && texts[j].top < a.bottom - 5; j++) {
        const b = texts[j];
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        if (a.text !== b.text && across > 1.5) found.push(`${picture}: ${a.words} and ${b.words}: ${Math.round(across)}`);
      }
    });
  }
  return found;
}
