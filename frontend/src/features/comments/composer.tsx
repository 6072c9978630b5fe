import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { CATEGORY_LABELS } from '@roughmix/contracts/shared/categories.js';
import { ImagePlus } from 'lucide-react';
import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { sentenceOf } from '../../shared/api/api-errors';
import { formatClock } from '../../shared/format/time';
import { Button } from '../../shared/ui/button';
import { CATEGORY_ICONS, categoryClass } from '../../shared/ui/category';
import { Checkbox } from '../../shared/ui/checkbox';
import { classNames } from '../../shared/ui/class-names';
import { Icon } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { MentionBox } from '../../shared/writing/mention-box';
import { StampChip } from '../../shared/writing/stamp-chip';
import './comments.css';
import { IMAGE_TYPES, imageFileProblem } from './image-file';
import { type SelectedRegion, useWriting, type Writing } from './use-writing';

/** How the page controls the box. */
export interface ComposerHandle {
  /** Focuses it; `withTag` also ticks the selected region. */
  readonly focus: (withTag?: boolean) => void;
  /** Puts unsent text back into it. */
  readonly takeBack: (text: string) => void;
}

/** The box shows a counter from this length on. */
const COUNTED_FROM = LIMITS.comment - 500;

function TagCheck({ region, writing }: { readonly region: SelectedRegion; readonly writing: Writing }) {
  const label = (
    <span className="flex">
      <Icon of={CATEGORY_ICONS[region.tag]} size={14} />
      <span className="sr">Tag the selected region, {CATEGORY_LABELS[region.tag]}, </span>
      {formatClock(region.start)}
    </span>
  );
  return <Checkbox className={classNames('tag-check', categoryClass(region.tag))} label={label} isSelected={writing.isTagged} onChange={writing.setTagged} />;
}

function ImagePicker({ onImage }: { readonly onImage: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const open = () => {
    if (!input.current) return;
    // Otherwise choosing the same image again would not be a change.
    input.current.value = '';
    input.current.click();
  };
  return (
    <>
      <IconButton label="Attach an image" icon={ImagePlus} size="s" onPress={open} />
      <input
        ref={input}
        type="file"
        hidden
        accept={IMAGE_TYPES.join(',')}
        aria-label="Image"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onImage(file);
        }}
      />
    </>
  );
}

export interface ComposerProps {
  readonly region: SelectedRegion | null;
  readonly ref?: Ref<ComposerHandle>;
}

/** The box for a new comment. Typing pauses playback and stamps the comment with the playhead's position; sending resumes playback. */
export function Composer({ region, ref }: ComposerProps) {
  const writing = useWriting(null, region);
  const { draft, canSend } = writing;
  const box = useRef<HTMLTextAreaElement>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useImperativeHandle(ref, () => ({
    focus: (withTag = false) => {
      if (withTag) writing.setTagged(true);
      box.current?.focus();
    },
    takeBack: (text) => {
      writing.takeBack(text);
      box.current?.focus();
    },
  }));
  const submit = () => {
    setFailure(null);
    writing.submit().catch((error: unknown) => setFailure(sentenceOf(error)));
  };
  const attach = (file: File) => {
    const problem = imageFileProblem(file);
    setFailure(problem);
    if (problem === null) writing.sendImage(file);
  };
  return (
    <div className="composer" role="group" aria-label="New comment">
      <MentionBox
        ref={box}
        label="New comment"
        hidesLabel
        placeholder="Say it while it plays"
        value={draft.text}
        onChange={writing.write}
        people={writing.people}
        onSubmit={submit}
        onEscape={() => box.current?.blur()}
        onImage={attach}
        error={writing.error ?? failure}
        {...(draft.text.length > COUNTED_FROM ? { limit: LIMITS.comment } : {})}
      />
      <div className="flex wrap">
        {region !== null && <TagCheck region={region} writing={writing} />}
        {draft.stamp !== null && <StampChip stamp={draft.stamp} onRemove={writing.removeStamp} />}
        <span className="grow" />
        <ImagePicker onImage={attach} />
        <Button size="s" isDisabled={!canSend && !writing.isBusy} isPending={writing.isBusy} onPress={submit} title="Ctrl or Cmd with Enter">
          Send
        </Button>
      </div>
    </div>
  );
}
