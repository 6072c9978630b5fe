import { withoutDirections } from '@roughmix/contracts/shared/visible-text.js';
import type { EmailContent } from '../mailer.js';
import { withoutAddresses } from './without-addresses.js';

/** What an e-mail says; every text is plain and is escaped in the HTML part. */
export interface EmailParts {
  /** Never contains text that a user typed. */
  readonly subject: string;
  /** Each on one line, typed text included; addresses of pages in them are removed. */
  readonly paragraphs: readonly string[];
  /** Labelled values, each on one line. */
  readonly facts?: readonly (readonly [label: string, value: string])[];
  /** Text that a user typed; keeps its line breaks. */
  readonly quote?: string;
  /** Sentences that may contain typed text, each on one line and without addresses of pages, with their links. */
  readonly entries?: readonly EmailEntry[];
  /** The main link, shown as a button and as plain text. */
  readonly action?: { readonly label: string; readonly link: string };
  /** Why the receiver gets this e-mail, or what to do if they did not expect it. */
  readonly footer: string;
  /** The page that turns off e-mails of this kind. */
  readonly unsubscribeLink?: string;
}

export interface EmailEntry {
  readonly text: string;
  /** Null if there is nothing to open. */
  readonly link: string | null;
}

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as HTML, also inside a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => MARKUP[character] ?? '');

/** On one line, so that typed text cannot look like a line of ours. */
const onOneLine = (text: string): string =>
  withoutDirections(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
/** A sentence that may contain typed text. */
const sentence = (text: string): string => withoutAddresses(onOneLine(text));
const linesOf = (text: string): readonly string[] =>
  withoutDirections(text)
    .trim()
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => line.replace(/\p{Cc}/gu, ' ').trimEnd());

// Both colour schemes of the page's tokens. There is nothing to load: no images, fonts or style sheets.
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:32px 16px;background:#efefec;color:#1a1a18;font:16px/1.5 "Helvetica Neue","Segoe UI",Roboto,Arial,sans-serif}
main{max-width:520px;margin:0 auto;padding:24px 28px;background:#f9f9f7;border:1px solid #d9d9d3;border-radius:8px}
p,dl,blockquote{margin:0 0 16px}
.name{font-weight:700;font-size:20px}
.button{display:inline-block;padding:10px 18px;border-radius:4px;background:#ffc12b;color:#1b1502;font-weight:600;text-decoration:none}
.link{word-break:break-all;font-size:14px}
.link a{color:#7d4e00}
dt{color:#63625c;font-size:14px}
dd{margin:0 0 8px;overflow-wrap:anywhere}
blockquote{padding-left:14px;border-left:3px solid #d9d9d3;overflow-wrap:anywhere}
ul{margin:0 0 16px;padding:0;list-style:none;border-top:1px solid #d9d9d3}
li{padding:10px 0;border-bottom:1px solid #d9d9d3;overflow-wrap:anywhere}
li a{color:inherit}
.footer a{color:inherit}
.footer{margin:0;padding-top:16px;border-top:1px solid #d9d9d3;color:#63625c;font-size:14px}
@media (prefers-color-scheme:dark){
body{background:#131312;color:#eeece5}
main{background:#1a1a18;border-color:#2d2d29}
.button{background:#ffc83d;color:#1b1502}
.link a{color:#ffcf57}
dt,.footer{color:#98958a}
blockquote,.footer,ul,li{border-color:#2d2d29}
}`;

const textOf = ({ paragraphs, facts = [], quote, entries = [], action, footer, unsubscribeLink }: EmailParts): string => {
  const blocks = [
    ...paragraphs.map(sentence),
    facts.map(([label, value]) => `${label}: ${onOneLine(value)}`).join('\n'),
    quote === undefined
      ? ''
      : linesOf(quote)
          .map((line) => `> ${line}`.trimEnd())
          .join('\n'),
    ...entries.map(({ text, link }) => `- ${sentence(text)}${link === null ? '' : `\n  ${link}`}`),
    action === undefined ? '' : `${action.label}:\n${action.link}`,
    `-- \n${footer}${unsubscribeLink === undefined ? '' : `\nUnsubscribe: ${unsubscribeLink}`}`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
};

const htmlOf = ({ subject, paragraphs, facts = [], quote, entries = [], action, footer, unsubscribeLink }: EmailParts): string => {
  const blocks = [
    '<p class="name">Roughmix</p>',
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(sentence(paragraph))}</p>`),
    facts.length === 0 ? '' : `<dl>${facts.map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(onOneLine(value))}</dd>`).join('')}</dl>`,
    quote === undefined ? '' : `<blockquote>${linesOf(quote).map(escapeHtml).join('<br>\n')}</blockquote>`,
    entries.length === 0 ? '' : `<ul>\n${entries.map(itemOf).join('\n')}\n</ul>`,
    action === undefined ? '' : actionOf(action),
    `<p class="footer">${escapeHtml(footer)}${unsubscribeLink === undefined ? '' : `<br>\n${anchorOf('Unsubscribe', unsubscribeLink)}`}</p>`,
  ];
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title>
<style>${STYLE}</style>`;
  return `<!doctype html>
<html lang="en"><head>${head}</head>
<body><main>
${blocks.filter((block) => block !== '').join('\n')}
</main></body></html>
`;
};

const anchorOf = (text: string, link: string): string => `<a href="${escapeHtml(link)}">${escapeHtml(text)}</a>`;

const itemOf = ({ text, link }: EmailEntry): string => `<li>${link === null ? escapeHtml(sentence(text)) : anchorOf(sentence(text), link)}</li>`;

const actionOf = ({ label, link }: { readonly label: string; readonly link: string }): string =>
  `<p><a class="button" href="${escapeHtml(link)}">${escapeHtml(label)}</a></p>
<p class="link">Or open this address: ${anchorOf(link, link)}</p>`;

/** The look that all e-mails share, as plain text and as HTML without remote content. */
export const emailOf = (parts: EmailParts): EmailContent => ({ subject: parts.subject, text: textOf(parts), html: htmlOf(parts) });
