import type { NotePlace } from '../../shared/project/project-context';

/** Where a position lies below the top of the text, measured in a copy: setting the value of the box itself would empty its undo history. */
function heightUntil(area: HTMLTextAreaElement, at: number): number {
  const copy = area.cloneNode() as HTMLTextAreaElement;
  copy.removeAttribute('id');
  copy.setAttribute('aria-hidden', 'true');
  copy.style.cssText = `position: absolute; visibility: hidden; height: 0; min-height: 0; width: ${area.offsetWidth}px`;
  copy.value = area.value.slice(0, at);
  area.after(copy);
  const height = copy.scrollHeight;
  copy.remove();
  return height;
}

/** Selects a part of a note, and brings it into view. */
export function selectPart(area: HTMLTextAreaElement, { at, length }: Pick<NotePlace, 'at' | 'length'>): void {
  area.focus({ preventScroll: true });
  area.setSelectionRange(at, at + length);
  area.scrollTop = Math.max(0, heightUntil(area, at) - area.clientHeight / 2);
  area.scrollIntoView({ block: 'center' });
}
