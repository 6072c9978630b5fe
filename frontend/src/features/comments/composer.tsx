import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { CATEGORY_WORDS } from '@roughmix/contracts/shared/categories.js';
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
import './comments.css';
import { IMAGE_TYPES, imageFileProblem } from './image-file';
import { MentionBox } from './mention-box';
import { StampChip } from './stamp-chip';
import { type SelectedRegion, useSurroundings } from './surroundings';
import { useWriting, type Writing } from './use-writing';

/** What the page can ask of the box. */
export interface ComposerHandle {
  /** Puts the caret into it; with a tag, ticks the selected region. */
  readonly focus: (withTag?: boolean) => void;
  /** Takes back what was not sent. */
  readonly takeBack: (text: string) => void;
}

const COUNTED_FROM = LIMITS.comment - 500;

function TagCheck({ region, writing }: { readonly region: SelectedRegion; readonly writing: Writing }) {
  const label = (
    <span className="flex">
      <Icon of={CATEGORY_ICONS[region.tag]} size={14} />
      <span className="sr">Tag the selected region, {CATEGORY_WORDS[region.tag]}, </span>
      {formatClock(region.start)}
    </span>
  );
  return <Checkbox className={classNames('tag-check', categoryClass(region.tag))} label={label} isSelected={writing.isTagged} onChange={writing.setTagged} />;
}

function ImagePicker({ onImage }: { readonly onImage: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const open = () => {
    if (!input.current) return;
    // Else taking the same image once more would change nothing.
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

/** Where a comment is written. Typing pauses what plays and stamps the playhead; sending goes on. */
export function Composer({ ref }: { readonly ref?: Ref<ComposerHandle> }) {
  const around = useSurroundings();
  const writing = useWriting(around, null);
  const { draft, canSend } = writing;
  const box = useRef<HTMLTextAreaElement>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useImperativeHandle(ref, () => ({
    focus: (withTag = false) => {
      if (withTag) writing.setTagged(true);
      box.current?.focus();
    },
    takeBack: (text) => {
      writing.keep({ ...draft, text: draft.text === '' ? text : `${draft.text}\n${text}` });
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
        {around.region !== null && <TagCheck region={around.region} writing={writing} />}
        {draft.stamp !== null && <StampChip stamp={draft.stamp} onRemove={writing.dropStamp} />}
        <span className="grow" />
        <ImagePicker onImage={attach} />
        <Button size="s" isDisabled={!canSend && !writing.isBusy} isPending={writing.isBusy} onPress={submit} title="Ctrl or Cmd with Enter">
          Send
        </Button>
      </div>
    </div>
  );
}
