// Small helpers to build the page.

type Child = Node | string | null;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.filter((child): child is Node | string => child !== null));
  return node;
}

export function button(text: string, title: string, act: () => void, id = ''): HTMLButtonElement {
  const node = element('button', { type: 'button', title, 'aria-label': title }, text);
  if (id) node.id = id;
  node.addEventListener('click', () => { act(); node.blur(); });
  return node;
}

/** Outlines of the symbols on buttons, in a square of 16 by 16; fonts do not have them everywhere. */
const SYMBOLS: Record<string, string> = {
  play: 'M4 2.5v11l9-5.5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  back: 'M3 3h2v10H3zM13 3v10L6 8z',
  step: 'M11 3h2v10h-2zM3 3v10l7-5z',
  reset: 'M8 3a5 5 0 1 1-4.6 3H5.600A3 3 0 1 0 8 5v2.500L4 4.250 8 1z',
  reload: 'M8 3a5 5 0 0 1 4.500 2.800L14 4.500V9H9.500l1.600-1.600A3 3 0 1 0 10.500 10h2.100A5 5 0 1 1 8 3z',
  theme: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 2v8a4 4 0 0 1 0-8z',
  panels: 'M2 3h12v10H2zM4 5v6h2V5zm4 0v6h4V5z',
  line: 'M1 9c2-6 4-6 6-1s4 5 7-2l1 .500C12 15 9 14 6.500 9.500 5 6 4 6 2 9.600z',
};

/** Puts a symbol on a button. */
export function symbol(node: HTMLButtonElement, name: string): HTMLButtonElement {
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg'), path = document.createElementNS(space, 'path');
  picture.setAttribute('viewBox', '0 0 16 16');
  picture.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', SYMBOLS[name] ?? '');
  path.setAttribute('fill-rule', 'evenodd');
  picture.append(path);
  node.replaceChildren(picture);
  return node;
}

/** A section that can be folded. */
export function section(title: string, id: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  const node = element('details', { id }, element('summary', {}, title), ...children);
  node.open = open;
  return node;
}

/** A number in at most six characters or so. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e5 || size < 1e-3)) return value.toExponential(2);
  return value.toFixed(size >= 100 ? 1 : 3);
}

export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
