import type { TaggedRegionView } from '@roughmix/contracts/regions/region.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import type { SpanChange, Stamp } from '@roughmix/contracts/shared/marks.js';
import { useState } from 'react';
import { errorMessage } from '../api/api-errors';
import { useProject } from '../project/project-context';
import { useSession } from '../session/session-provider';
import { Button } from '../ui/button';
import { Tag } from '../ui/tag';
import { MentionBox } from '../writing/mention-box';
import { mentionablesOf } from '../writing/mention-search';
import { mentionedNames, toTyped, toWire } from '../writing/mention-text';
import { StampChip } from '../writing/stamp-chip';
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
  readonly post: { readonly content: string; readonly stamp: Stamp | null; readonly taggedRegions: readonly TaggedRegionView[] };
  readonly limit: TextLimit;
  /** The mutation that sends the edit. */
  readonly edit: {
    readonly mutate: (changes: PostChanges, options: { readonly onSuccess: () => void }) => void;
    readonly isPending: boolean;
    readonly error: Error | null;
  };
  readonly onDone: () => void;
}

/** The tag of a post that is being edited. Its region can be changed on the wave, replaced by the saved one that it is a child of, or dropped. */
function useTag([tagged]: readonly TaggedRegionView[]) {
  const { regions, goTo } = useProject();
  const before = tagged?._id ?? null;
  const [regionId, setRegionId] = useState(before);
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
    changes: hasChanged || regionId !== before ? { taggedRegions: wanted } : {},
  };
}

/** Edits the user's own post in place, with its tag and timestamp. */
export function PostEditor({ label, post, limit, edit, onDone }: PostEditorProps) {
  const { members, user } = useProject();
  const { requireAccount } = useSession();
  const [text, setText] = useState(() => toTyped(post.content));
  const tag = useTag(post.taggedRegions);
  const [stamp, setStamp] = useState(post.stamp);
  const { box, toBoxAfter } = useBox();
  const people = mentionablesOf(members, user.uid);
  const problem = textProblem(text, limit);
  const canSave = text.trim() !== '' && problem === null;
  const save = () => {
    if (!canSave || edit.isPending || !requireAccount()) return;
    const names = [...new Set([...people.map(({ username }) => username), ...mentionedNames(post.content)])];
    const changes = { content: toWire(text, names), ...tag.changes, ...(stamp === post.stamp ? {} : { stamp }) };
    edit.mutate(changes, { onSuccess: onDone });
  };
  const error = problem ?? (edit.error === null ? null : errorMessage(edit.error));
  return (
    <div className="composer">
      <MentionBox
        ref={box}
        label={label}
        hidesLabel
        value={text}
        onChange={setText}
        people={people}
        onSubmit={save}
        onEscape={onDone}
        error={error}
        autoFocus
      />
      <div className="flex wrap">
        {stamp !== null && <StampChip stamp={stamp} onRemove={toBoxAfter(() => setStamp(null))} />}
        {tag.span && tag.show && <Tag category={tag.span.tag} span={tag.span} onPress={tag.show} />}
        {tag.isTagged && <TagChangeButtons onRevert={tag.revert && toBoxAfter(tag.revert)} onRemove={toBoxAfter(tag.remove)} />}
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
