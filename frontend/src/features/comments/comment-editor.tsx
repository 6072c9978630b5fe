import type { StandingComment } from '@roughmix/contracts/comments/comment.view.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { useState } from 'react';
import { sentenceOf } from '../../shared/api/api-errors';
import { useSession } from '../../shared/session/session-provider';
import { Button } from '../../shared/ui/button';
import { useEditComment } from './comments.queries';
import { mentionedNames, toTyped, toWire } from './comment-words';
import { MentionBox } from './mention-box';
import { mentionablesOf } from './mention-search';
import { StampChip } from './stamp-chip';
import { usePlace } from './surroundings';

interface CommentEditorProps {
  readonly comment: StandingComment;
  readonly content: string;
  readonly onDone: () => void;
}

/** One's own words, mended in place; its region and its moment can be let go of. */
export function CommentEditor({ comment, content, onDone }: CommentEditorProps) {
  const { members, user } = usePlace();
  const { requireAccount } = useSession();
  const [text, setText] = useState(() => toTyped(content));
  const [keepsTag, setKeepsTag] = useState(true);
  const [stamp, setStamp] = useState(comment.stamp);
  const edit = useEditComment(comment);
  const people = mentionablesOf(members, user.uid);
  const isTooLong = text.length > LIMITS.comment;
  const canSave = text.trim() !== '' && !isTooLong;
  const save = () => {
    if (!canSave || edit.isPending || !requireAccount()) return;
    const names = [...new Set([...people.map(({ username }) => username), ...mentionedNames(content)])];
    const changes = { content: toWire(text, names), ...(keepsTag ? {} : { taggedRegions: [] }), ...(stamp === comment.stamp ? {} : { stamp }) };
    edit.mutate(changes, { onSuccess: onDone });
  };
  const error = isTooLong ? detailOf('limit.content') : edit.error === null ? null : sentenceOf(edit.error);
  return (
    <div className="composer">
      <MentionBox label="Edit comment" hidesLabel value={text} onChange={setText} people={people} onSubmit={save} onEscape={onDone} error={error} autoFocus />
      <div className="flex wrap">
        {stamp !== null && <StampChip stamp={stamp} onRemove={() => setStamp(null)} />}
        {comment.taggedRegions.length > 0 && keepsTag && (
          <Button size="s" variant="quiet" onPress={() => setKeepsTag(false)}>
            Remove tag
          </Button>
        )}
        <span className="grow" />
        <Button size="s" variant="quiet" onPress={onDone}>
          Cancel
        </Button>
        <Button size="s" isPending={edit.isPending} isDisabled={!canSave} onPress={save}>
          Save
        </Button>
      </div>
    </div>
  );
}
