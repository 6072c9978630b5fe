import type { ImageContent } from '@roughmix/contracts/comments/comment.view.js';
import './comments.css';

/** An image, or its placeholder while it is uploaded. */
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
