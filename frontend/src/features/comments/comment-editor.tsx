import type { ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { useState } from 'react';
import { sentenceOf } from '../../shared/api/api-errors';
import { useProject } from '../../shared/project/project-context';
import { useSession } from '../../shared/session/session-provider';
import { Button } from '../../shared/ui/button';
import { MentionBox } from '../../shared/writing/mention-box';
import { mentionablesOf } from '../../shared/writing/mention-search';
import { mentionedNames, toTyped, toWire } from '../../shared/writing/mention-text';
import { StampChip } from '../../shared/writing/stamp-chip';
import { useEditComment } from './comments.queries';

interface CommentEditorProps {
  readonly comment: ActiveComment;
  readonly content: string;
  readonly onDone: () => void;
}

/** Edits the user's own comment in place. Its tag and timestamp can be removed. */
export function CommentEditor({ comment, content, onDone }: CommentEditorProps) {
  const { members, user } = useProject();
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
