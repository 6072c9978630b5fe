import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { SpanChange, Stamp } from '@roughmix/contracts/shared/marks.js';
import { showsNothing } from '@roughmix/contracts/shared/visible-text.js';
import { useLayoutEffect, useRef } from 'react';
import { errorMessage } from '../api/api-errors';
import { useProject } from '../project/project-context';
import { useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import { Tag } from '../ui/tag';
import { MentionBox } from '../writing/mention-box';
import { mentionablesOf } from '../writing/mention-search';
import { mentionedNames, toWire } from '../writing/mention-text';
import { StampChip } from '../writing/stamp-chip';
import { type EditedPost, useEditDraft, useHasEdit } from './edit-draft';
import './posts.css';
import { isChanged, useRegionTagging } from './region-tagging';
import { TagChangeButtons } from './tag-change-buttons';
import { type TextLimit, textProblem } from './text-limit';
import { useBox } from './use-box';

/** What an edit of a text sends; missing fields stay as they are. */
export interface PostChanges {
  readonly content: string;
  /** Empty removes the tag. Of the region, only what the writer changed is sent. */
  readonly taggedRegions?: readonly ({ readonly _id: Id } & SpanChange)[];
  readonly stamp?: Stamp | null;
}

interface PostEditorProps {
  readonly label: string;
  readonly post: EditedPost;
  readonly limit: TextLimit;
  /** The mutation that sends the edit. */
  readonly edit: {
    readonly mutateAsync: (changes: PostChanges) => Promise<unknown>;
    readonly isPending: boolean;
    readonly error: Error | null;
  };
  readonly onDone: () => void;
}

/** The tag of a post that is being edited. Its region can be changed on the wave, replaced by the saved one that it is a child of, or dropped. */
function useTag({ draft: { regionId }, before, change: changeDraft }: ReturnType<typeof useEditDraft>) {
  const { regions, goTo } = useProject();
  const setRegionId = (id: Id | null) => changeDraft({ regionId: id });
  const { change, revert } = useRegionTagging(regionId);
  const region = regionId === null ? undefined : regions.get(regionId);
  const parent = region?.parentRegion ?? null;
  const hasChanged = isChanged(change);
  const wanted = regionId === null ? [] : [{ _id: regionId, ...change }];
  return {
    region,
    isTagged: regionId !== null,
    /** null when it is the saved region, unchanged. */
    revert: hasChanged ? revert : parent === null ? null : () => setRegionId(parent),
    remove: () => setRegionId(null),
    show: region && (() => goTo({ versionId: region.versionId, at: region.start, regionId: region._id })),
    span: region && { ...region, ...change },
    changes: hasChanged || regionId !== before.regionId ? { taggedRegions: wanted } : {},
  };
}

/** The edit of a post, and what saves or cancels it. */
function useEdit({ post, limit, edit, onDone }: PostEditorProps) {
  const { members, user } = useProject();
  const { requireAccount } = useSession();
  const kept = useEditDraft(post);
  const { draft, before, change } = kept;
  const tag = useTag(kept);
  const stamp = draft.hasStamp ? post.stamp : null;
  const people = mentionablesOf(members, user.uid);
  const problem = textProblem(draft.text, limit);
  const canSave = !showsNothing(draft.text) && problem === null;
  const hasChanges = draft.text !== before.text || draft.hasStamp !== before.hasStamp || tag.changes.taggedRegions !== undefined;
  const latest = useRef(draft);
  useLayoutEffect(() => {
    latest.current = draft;
  });
  const done = () => {
    kept.discard();
    onDone();
  };
  const save = async () => {
    if (!canSave || edit.isPending || !requireAccount()) return;
    const names = [...new Set([...people.map(({ username }) => username), ...mentionedNames(post.content)])];
    const changes = { content: toWire(draft.text, names), ...tag.changes, ...(draft.hasStamp === before.hasStamp ? {} : { stamp }) };
    try {
      // Its callback would not be called if the tab is left in the meantime.
      await edit.mutateAsync(changes);
    } catch {
      // The editor shows the mutation's error.
      return;
    }
    // What was typed in the meantime stays in the editor.
    if (latest.current === draft) done();
  };
  const error = problem ?? (edit.error === null ? null : errorMessage(edit.error));
  return { text: draft.text, change, tag, stamp, people, canSave, hasChanges, save: () => void save(), done, error };
}

/** Edits the user's own post in place, with its tag and timestamp. The edit is kept when the tab is left. */
export function PostEditor(props: PostEditorProps) {
  const { label, post, edit } = props;
  const { text, change, tag, stamp, people, canSave, hasChanges, save, done, error } = useEdit(props);
  const wasKept = useHasEdit(post._id);
  const { box, toBoxAfter } = useBox();
  return (
    <div className="composer">
      <MentionBox
        ref={box}
        label={label}
        hidesLabel
        value={text}
        onChange={(next) => change({ text: next })}
        people={people}
        onSubmit={save}
        // Only Cancel discards what was changed. As in a new post, Escape leaves the box.
        onEscape={() => (hasChanges ? box.current?.blur() : done())}
        error={error}
        autoFocus={!wasKept}
      />
      <div className="flex wrap">
        {stamp !== null && <StampChip stamp={stamp} onRemove={toBoxAfter(() => change({ hasStamp: false }))} />}
        {tag.span && tag.show && <Tag category={tag.span.tag} span={tag.span} onPress={tag.show} />}
        {tag.isTagged && <TagChangeButtons onRevert={tag.revert && toBoxAfter(tag.revert)} onRemove={toBoxAfter(tag.remove)} />}
        <span className="grow" />
        <Button size="s" variant="quiet" onPress={done}>
          Cancel
        </Button>
        <Button size="s" isPending={edit.isPending} isDisabled={!canSave} onPress={save}>
          Save
        </Button>
      </div>
    </div>
  );
}
