import type { TaggedRegionView } from '@roughmix/contracts/regions/region.view.js';
import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../api/api-errors';
import { useProject } from '../project/project-context';
import { useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import { MentionBox } from '../writing/mention-box';
import { mentionablesOf } from '../writing/mention-search';
import { mentionedNames, toTyped, toWire } from '../writing/mention-text';
import { StampChip } from '../writing/stamp-chip';
import './posts.css';
import { type TextLimit, textProblem } from './text-limit';

/** What an edit of a text sends; missing fields stay as they are. */
export interface PostChanges {
  readonly content: string;
  /** Empty removes the tag. */
  readonly taggedRegions?: never[];
  readonly stamp?: Stamp | null;
}

interface PostEditorProps {
  readonly label: string;
  readonly post: { readonly content: string; readonly stamp: Stamp | null; readonly taggedRegions: readonly TaggedRegionView[] };
  readonly limit: TextLimit;
  readonly edit: Pick<UseMutationResult<unknown, Error, PostChanges>, 'mutate' | 'isPending' | 'error'>;
  readonly onDone: () => void;
}

/** Edits the user's own post in place. Its tag and timestamp can be removed. */
export function PostEditor({ label, post, limit, edit, onDone }: PostEditorProps) {
  const { members, user } = useProject();
  const { requireAccount } = useSession();
  const [text, setText] = useState(() => toTyped(post.content));
  const [keepsTag, setKeepsTag] = useState(true);
  const [stamp, setStamp] = useState(post.stamp);
  const people = mentionablesOf(members, user.uid);
  const problem = textProblem(text, limit);
  const canSave = text.trim() !== '' && problem === null;
  const save = () => {
    if (!canSave || edit.isPending || !requireAccount()) return;
    const names = [...new Set([...people.map(({ username }) => username), ...mentionedNames(post.content)])];
    const changes = { content: toWire(text, names), ...(keepsTag ? {} : { taggedRegions: [] }), ...(stamp === post.stamp ? {} : { stamp }) };
    edit.mutate(changes, { onSuccess: onDone });
  };
  const error = problem ?? (edit.error === null ? null : errorMessage(edit.error));
  return (
    <div className="composer">
      <MentionBox label={label} hidesLabel value={text} onChange={setText} people={people} onSubmit={save} onEscape={onDone} error={error} autoFocus />
      <div className="flex wrap">
        {stamp !== null && <StampChip stamp={stamp} onRemove={() => setStamp(null)} />}
        {post.taggedRegions.length > 0 && keepsTag && (
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
