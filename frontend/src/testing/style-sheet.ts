/// <reference types="node" />
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a rule of a sheet declares. */
export interface SheetOfStyles {
  /** The value, or an empty string; `media` names the query that the rule stands in. */
  readonly declared: (selector: string, property: string, media?: string) => string;
}

const isStyle = (rule: CSSRule): rule is CSSStyleRule => 'selectorText' in rule;
const isMedia = (rule: CSSRule): rule is CSSMediaRule => 'media' in rule;

/** A sheet of the page, which imports nothing here: its path below `frontend/src`. Styles are not applied, so specs ask for what is written. */
export async function styleSheet(path: string): Promise<SheetOfStyles> {
  const style = document.createElement('style');
  style.textContent = await readFile(join(process.cwd(), 'frontend/src', path), 'utf8');
  document.head.append(style);
  const rules = [...(style.sheet?.cssRules ?? [])];
  style.remove();
  const within = (media: string | undefined) =>
    media === undefined ? rules : rules.filter(isMedia).flatMap((rule) => (rule.media.mediaText === media ? [...rule.cssRules] : []));
  const declared = (selector: string, property: string, media?: string) =>
    within(media)
      .filter(isStyle)
      .filter(({ selectorText }) => selectorText === selector)
      .map((rule) => rule.style.getPropertyValue(property))
      .findLast((value) => value !== '') ?? '';
  return { declared };
}
