import { CATEGORY_LABELS } from '@roughmix/contracts/shared/categories.js';
import { type ReactNode, type Ref, useImperativeHandle, useState } from 'react';
import { errorMessage } from '../api/api-errors';
import { formatClock } from '../format/time';
import { Button } from '../ui/button';
import { CATEGORY_ICONS, categoryClass } from '../ui/category';
import { Checkbox } from '../ui/checkbox';
import { classNames } from '../ui/class-names';
import { Icon } from '../ui/icon';
import { MentionBox } from '../writing/mention-box';
import { StampChip } from '../writing/stamp-chip';
import type { SelectedRegion } from './new-post';
import './posts.css';
import { isChanged } from './region-tagging';
import { StampGrip } from './stamp-grip';
import { TagChangeButtons } from './tag-change-buttons';
import { useBox } from './use-box';
import type { Writing } from './use-writing';

/** How the page controls the box. */
export interface ComposerHandle {
  /** Focuses it; `withTag` also ticks the selected region. */
  readonly focus: (withTag?: boolean) => void;
  /** Puts unsent text back into it. */
  readonly takeBack: (text: string) => void;
}

/** The box shows a counter once this many characters are left. */
const COUNTED_LAST = 500;

interface TagCheckProps extends Pick<ReturnType<typeof useBox>, 'toBoxAfter'> {
  readonly region: SelectedRegion;
  readonly writing: Writing;
}

function TagCheck({ region, writing, toBoxAfter }: TagCheckProps) {
  const label = (
    <span className="flex">
      <Icon of={CATEGORY_ICONS[region.tag]} size={14} />
      <span className="sr">Tag the selected region, {CATEGORY_LABELS[region.tag]}, </span>
      {formatClock(region.start)}
    </span>
  );
  const { isTagged, setTagged, change, revert } = writing.tag;
  return (
    <>
      <Checkbox className={classNames('tag-check', categoryClass(region.tag))} label={label} isSelected={isTagged} onChange={setTagged} />
      {isTagged && isChanged(change) && <TagChangeButtons onRevert={toBoxAfter(revert)} onRemove={toBoxAfter(() => setTagged(false))} />}
    </>
  );
}

export interface ComposerProps {
  readonly label: string;
  readonly placeholder: string;
  readonly sendLabel: string;
  readonly writing: Writing;
  readonly region: SelectedRegion | null;
  /** Takes an image that is pasted into the text. */
  readonly onImage?: (file: File) => void;
  /** Why something other than the text was refused. */
  readonly problem?: string | null;
  /** More controls, in front of the button that sends. */
  readonly children?: ReactNode;
  readonly ref?: Ref<ComposerHandle>;
}

/** The box for a new post. Typing pauses playback and stamps the post with the playhead's position; sending resumes playback. */
export function Composer({ label, placeholder, sendLabel, writing, region, onImage, problem = null, children, ref }: ComposerProps) {
  const { draft, canSend, limit } = writing;
  const { box, toBoxAfter } = useBox();
  const [failure, setFailure] = useState<string | null>(null);
  useImperativeHandle(ref, () => ({
    focus: (withTag = false) => {
      if (withTag) writing.tag.setTagged(true);
      box.current?.focus();
    },
    takeBack: (text) => {
      writing.takeBack(text);
      box.current?.focus();
    },
  }));
  const submit = () => {
    setFailure(null);
    writing.submit().catch((error: unknown) => setFailure(errorMessage(error)));
  };
  return (
    <div className="composer" role="group" aria-label={label}>
      <MentionBox
        ref={box}
        label={label}
        hidesLabel
        placeholder={placeholder}
        value={draft.text}
        onChange={writing.write}
        people={writing.people}
        onSubmit={submit}
        onEscape={() => box.current?.blur()}
        {...(onImage ? { onImage } : {})}
        error={writing.error ?? problem ?? failure}
        {...(draft.text.length > limit.length - COUNTED_LAST ? { limit: limit.length } : {})}
      />
      <div className="flex wrap">
        {region !== null && (!region.isHidden || writing.tag.isTagged) && <TagCheck region={region} writing={writing} toBoxAfter={toBoxAfter} />}
        {draft.stamp !== null && (
          <StampChip stamp={draft.stamp} onRemove={toBoxAfter(writing.removeStamp)}>
            {writing.growing !== null && <StampGrip growing={writing.growing} />}
          </StampChip>
        )}
        <span className="flex row-end">
          {children}
          <Button size="s" isDisabled={!canSend && !writing.isBusy} isPending={writing.isBusy} onPress={toBoxAfter(submit)} title="Ctrl or Cmd with Enter">
            {sendLabel}
          </Button>
        </span>
      </div>
    </div>
  );
}
