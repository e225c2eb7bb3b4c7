/**
 * Every text below the elements of a selector of which a part is hidden by the edge of an element that cannot be
 * scrolled: its picture, its first words, and the pixels that are missing. A text that is hidden whole is not cut.
 * Used as a function by Playwright: it takes the selector.
 */
(selector) => {
  const found = [];
  const texts = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), out = [];
    while (walker.nextNode()) if (walker.currentNode.data.replace(/[\s\u200b]/g, '')) out.push(walker.currentNode);
    return out;
  };
  const edges = (element, root) => {
    const out = [];
    for (let one = element; one !== root.parentElement; one = one.parentElement) {
      const { overflowX } = getComputedStyle(one);
      if (overflowX === 'auto' || overflowX === 'scroll') break;
      if (overflowX === 'hidden' || overflowX === 'clip') out.push(one.getBoundingClientRect());
    }
    return out.filter((edge) => edge.width > 1 && edge.height > 1);
  };
  for (const [picture, root] of [...document.querySelectorAll(selector)].entries()) {
    for (const text of texts(root)) {
      if (!text.parentElement.checkVisibility({ checkVisibilityCSS: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const edge of edges(text.parentElement, root)) {
        for (const box of range.getClientRects()) {
          const across = Math.max(box.right - edge.right, edge.left - box.left);
          const down = Math.max(box.bottom - edge.bottom, edge.top - box.top);
          if (box.top < edge.bottom - 1 && (across > 1 || down > 4))
            found.push(`${picture}: ${text.data.trim().slice(0, 30)}: ${Math.round(across)}, ${Math.round(down)}`);
        }
      }
    }
  }
  return found;
}
