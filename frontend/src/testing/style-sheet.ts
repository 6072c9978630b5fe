/// <reference types="node" />
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A parsed style sheet. */
export interface StyleSheetRules {
  /** The declared value, or an empty string; `media` is the query that contains the rule. */
  readonly declared: (selector: string, property: string, media?: string) => string;
}

const isStyle = (rule: CSSRule): rule is CSSStyleRule => 'selectorText' in rule;
const isMedia = (rule: CSSRule): rule is CSSMediaRule => 'media' in rule;

async function appendStyle(path: string): Promise<HTMLStyleElement> {
  const style = document.createElement('style');
  style.textContent = await readFile(join(process.cwd(), 'frontend/src', path), 'utf8');
  document.head.append(style);
  return style;
}

/** Applies a style sheet, so that `getComputedStyle` takes it into account; jsdom lays nothing out. @returns a function that takes it away */
export async function applyStyleSheet(path: string): Promise<() => void> {
  const style = await appendStyle(path);
  return () => style.remove();
}

/** Reads a style sheet by its path below `frontend/src`. Components bring no styles in specs, so specs check the declarations. */
export async function styleSheet(path: string): Promise<StyleSheetRules> {
  const style = await appendStyle(path);
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
