import { piecesOf } from '@roughmix/contracts/shared/mentions.js';
import { classNames } from '../ui/class-names';

interface TextWithMentionsProps {
  readonly content: string;
  /** Shows the first lines only. */
  readonly isFolded?: boolean;
}

/** Wire text as a paragraph with its mentions in bold. */
export const TextWithMentions = ({ content, isFolded = false }: TextWithMentionsProps) => (
  <p className={classNames('text', isFolded && 'is-folded')}>
    {piecesOf(content).map(({ kind, text }, at) =>
      kind === 'mention' ? (
        <span key={at} className="mention">
          @{text}
        </span>
      ) : (
        text
      ),
    )}
  </p>
);
