import { piecesOf } from '@roughmix/contracts/shared/mentions.js';

/** Wire text as a paragraph with its mentions in bold. */
export const TextWithMentions = ({ content }: { readonly content: string }) => (
  <p className="text">
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
