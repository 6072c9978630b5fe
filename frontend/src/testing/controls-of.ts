const KINDS: Readonly<Record<string, string>> = { A: 'link', BUTTON: 'button', TEXTAREA: 'textbox' };

function kindOf(control: Element): string {
  if (!(control instanceof HTMLInputElement)) return KINDS[control.tagName] ?? control.tagName;
  if (control.type === 'range') return 'slider';
  return ['password', 'checkbox', 'radio'].includes(control.type) ? control.type : 'textbox';
}

function nameOf(control: Element): string {
  const labels = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement ? [...(control.labels ?? [])] : [];
  return control.getAttribute('aria-label') ?? [...labels, control].map(({ textContent }) => textContent).find((text) => text !== '') ?? '';
}

/** What the keyboard reaches, in order, each as 'kind: accessible name'. */
export const controlsOf = (surface: HTMLElement): readonly string[] =>
  [...surface.querySelectorAll('a[href], button, input:not([hidden]), textarea')].map((control) => `${kindOf(control)}: ${nameOf(control)}`);
