import type { ImageContent } from '@roughmix/contracts/comments/comment.view.js';
import { piecesOf } from '@roughmix/contracts/shared/mentions.js';

/** Somebody's words; mentions are bold. */
export const CommentText = ({ content }: { readonly content: string }) => (
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

/** An image, or the place where it will be. */
export function CommentImage({ content: { mediaUrl, filename, width, height } }: { readonly content: ImageContent }) {
  if (mediaUrl === null) {
    return (
      <div className="comment-image is-coming" role="status">
        <span className="meta">Loading...</span>
      </div>
    );
  }
  return (
    <a className="comment-image" href={mediaUrl} target="_blank" rel="noreferrer">
      <img src={mediaUrl} alt={filename} width={width ?? undefined} height={height ?? undefined} loading="lazy" />
    </a>
  );
}
