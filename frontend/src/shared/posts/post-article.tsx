import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { ReactNode } from 'react';
import { Avatar } from '../ui/avatar';
import { classNames } from '../ui/class-names';
import { highlightClass, useHighlight } from './highlight';
import './posts.css';
import { useIsSelected } from './selected-post';

export interface PostArticleProps {
  readonly postId: Id;
  readonly elementId: string;
  /** Its accessible name. */
  readonly label: string;
  readonly author: { readonly name: string; readonly photo: string | undefined };
  readonly isReply: boolean;
  readonly highlightRequest: number;
  readonly isNew: boolean;
  readonly children: ReactNode;
}

/** The frame of a comment or a reply, with its author's face. */
export function PostArticle({ postId, elementId, label, author, isReply, highlightRequest, isNew, children }: PostArticleProps) {
  const article = useHighlight<HTMLElement>(highlightRequest);
  const isSelected = useIsSelected(postId);
  return (
    <article
      ref={article}
      className={classNames('say', isNew && 'arrives', isSelected && 'is-selected', highlightClass(highlightRequest))}
      id={elementId}
      tabIndex={-1}
      aria-label={label}
      aria-current={isSelected || undefined}
    >
      <Avatar name={author.name} photo={author.photo} size={isReply ? 28 : 32} isDecorative />
      {children}
    </article>
  );
}
