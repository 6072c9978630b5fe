import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../../shared/ui/button';
import { SiteFooter } from '../site-footer';
import { SiteHeader } from '../site-header';
import styles from './legal-page.module.css';
import type { LegalBlock, LegalDocument, LegalSection } from './legal-text';

const LINK = /\[([^[\]]+)\]\(([^()]+)\)/;

/** A text with its links. */
function textOf(text: string): ReactNode {
  const [before = '', words, address, ...rest] = text.split(LINK);
  if (words === undefined || address === undefined) return before;
  const after = text.slice(before.length + words.length + address.length + 4);
  const link = address.startsWith('#') ? <a href={address}>{words}</a> : <Link to={address}>{words}</Link>;
  return (
    <>
      {before}
      {link}
      {rest.length > 0 && textOf(after)}
    </>
  );
}

const Block = ({ block }: { readonly block: LegalBlock }) =>
  typeof block === 'string' ? (
    <p>{textOf(block)}</p>
  ) : (
    <ul>
      {block.map((point) => (
        <li key={point}>{textOf(point)}</li>
      ))}
    </ul>
  );

const Section = ({ section: { id, title, blocks }, number }: { readonly section: LegalSection; readonly number: number }) => (
  <section id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>
      {number}. {title}
    </h2>
    {blocks.map((block) => (
      <Block key={String(block)} block={block} />
    ))}
  </section>
);

/** A legal document with its contents, for the screen and for paper. */
export const LegalPage = ({ document: { title, effective, summary, sections } }: { readonly document: LegalDocument }) => (
  <div className={styles.page}>
    <SiteHeader link="back" />
    <main className={styles.body}>
      <header>
        <h1 className="wide">{title}</h1>
        <p className="soft">{effective}</p>
        <p className={styles.template} role="note">
          Template: the operator’s lawyer must review and complete this text before it is used.
        </p>
        <p>{textOf(summary)}</p>
        <Button className={styles.print} icon={Printer} onPress={() => window.print()}>
          Print
        </Button>
      </header>
      <nav aria-label="Contents" className={styles.contents}>
        <ol>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>{section.title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <article>
        {sections.map((section, index) => (
          <Section key={section.id} section={section} number={index + 1} />
        ))}
      </article>
    </main>
    <SiteFooter />
  </div>
);
