import { type Ref, useImperativeHandle } from 'react';
import { Button } from '../ui/button';
import { MentionBox } from '../writing/mention-box';
import { StampChip } from '../writing/stamp-chip';
import './posts.css';
import { useBox } from './use-box';
import { useWriting, type WritingPlace } from './use-writing';

export interface ReplyBoxHandle {
  readonly takeBack: (text: string) => void;
}

export interface ReplyBoxProps {
  readonly place: WritingPlace;
  readonly label: string;
  /** Focuses the box when it opens; for threads that have no replies to read first. */
  readonly autoFocus?: boolean;
  readonly ref?: Ref<ReplyBoxHandle>;
}

/** The box for a reply below a thread. */
export function ReplyBox({ place, label, autoFocus = false, ref }: ReplyBoxProps) {
  const writing = useWriting(place, null);
  const { box, toBoxAfter } = useBox();
  useImperativeHandle(ref, () => ({
    takeBack: (text) => {
      writing.takeBack(text);
      box.current?.focus();
    },
  }));
  const submit = () => void writing.submit();
  return (
    <div className="flex reply-box">
      <div className="grow">
        <MentionBox
          ref={box}
          label={label}
          hidesLabel
          placeholder={label}
          value={writing.draft.text}
          onChange={writing.write}
          people={writing.people}
          onSubmit={submit}
          error={writing.error}
          autoFocus={autoFocus}
        />
      </div>
      {writing.draft.stamp !== null && <StampChip stamp={writing.draft.stamp} onRemove={toBoxAfter(writing.removeStamp)} />}
      <Button aria-label="Send reply" isDisabled={!writing.canSend} onPress={toBoxAfter(submit)}>
        Reply
      </Button>
    </div>
  );
}
