import { afterEach, expect, test } from '@jest/globals';

const DECIDED = ['display', 'visibility', 'pointer-events', 'overflow', 'overflow-x', 'overflow-y', '--tone'] as const;
const NAMES = 'a article button details dialog div fieldset form head input label li option p script select span style summary table template ul'.split(' ');
const ATTRIBUTES = ['', 'hidden', 'open', 'type="hidden"'];
const STYLES = [
  'display: none',
  'display: unset',
  'visibility: hidden',
  'visibility: unset; pointer-events: none',
  'pointer-events: auto; color: red',
  'overflow: hidden; --tone: 3',
  'overflow: unset; overflow-y: scroll',
];

afterEach(() => {
  document.head.replaceChildren();
  document.body.replaceChildren();
});

/** The styles of all elements as jsdom computes them: it answers for cssText. */
const wholeStyles = () => [...document.querySelectorAll('*')].map((element) => declaredIn(getComputedStyle(element).cssText));
function declaredIn(cssText: string) {
  const { style } = document.createElement('i');
  style.cssText = cssText;
  return DECIDED.map((property) => style.getPropertyValue(property));
}
const quickStyles = () => [...document.querySelectorAll('*')].map((element) => DECIDED.map((property) => getComputedStyle(element).getPropertyValue(property)));

/** Elements of all kinds, and some with a style, alone and within each other. */
function fillPage(): void {
  for (const name of NAMES) {
    for (const attribute of ATTRIBUTES) {
      const holder = document.createElement('template');
      holder.innerHTML = `<${name} ${attribute}></${name}>`;
      document.body.append(holder.content.firstElementChild ?? document.createElement(name));
    }
  }
  for (const style of STYLES) {
    const within = STYLES.map((inner) => `<b style="${inner}"><i></i></b>`).join('');
    document.body.insertAdjacentHTML('beforeend', `<div style="${style}">${within}<ruby><rt></rt><rp></rp></ruby><svg><style></style><a></a></svg></div>`);
  }
}

test('answers as jsdom does whether an element is displayed, visible, open to the pointer and scrolled', () => {
  fillPage();
  const whole = wholeStyles();
  expect(whole.length).toBeGreaterThan(150);
  expect(new Set(whole.map(([display]) => display))).toContain('none');
  expect(new Set(whole.map(([, visibility]) => visibility))).toEqual(new Set(['visible', 'hidden']));
  expect(new Set(whole.map(([, , pointer]) => pointer))).toEqual(new Set(['auto', 'none']));
  expect(new Set(whole.map(([, , , overflow]) => overflow))).toEqual(new Set(['', 'hidden']));
  expect(quickStyles()).toEqual(whole);
});

test.each([
  '.quiet { visibility: hidden }',
  '@media screen { .quiet { display: none } }',
  'div { pointer-events: none }',
  ':root { --tone: 4 } .quiet { display: none }',
])('follows the style sheet %s', (rules) => {
  document.head.innerHTML = `<style>${rules}</style>`;
  document.body.innerHTML = '<div class="quiet"><button></button></div><button></button>';
  expect(quickStyles()).toEqual(wholeStyles());
  const [display, visibility, pointer] = quickStyles().at(-3) ?? [];
  expect(display === 'none' || visibility === 'hidden' || pointer === 'none').toBe(true);
});

test('changes with the element, and keeps the rest of a style', () => {
  const element = document.createElement('div');
  document.body.append(element);
  const style = getComputedStyle(element);
  expect([style.display, style.visibility, style.pointerEvents, style.overflow]).toEqual(['block', 'visible', 'auto', '']);
  document.body.style.visibility = 'hidden';
  element.style.overflow = 'auto';
  element.hidden = true;
  const now = getComputedStyle(element);
  expect([now.display, now.visibility, now.overflow, now.color]).toEqual(['none', 'hidden', 'auto', 'canvastext']);
  document.body.style.visibility = '';
});

test('refuses what is not an element, as jsdom does', () => {
  expect(() => getComputedStyle(document as never)).toThrow(/not of type 'Element'/);
});
