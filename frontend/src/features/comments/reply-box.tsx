import { type Ref, useImperativeHandle, useRef } from 'react';
import { Button } from '../../shared/ui/button';
import { MentionBox } from './mention-box';
import { useSurroundings } from './surroundings';
import { useWriting } from './use-writing';

export interface ReplyBoxHandle {
  readonly takeBack: (text: string) => void;
}

export interface ReplyBoxProps {
  readonly parentId: string;
  readonly to: string;
  /** Takes the caret when it opens: nothing is there to be read first. */
  readonly autoFocus?: boolean;
  readonly ref?: Ref<ReplyBoxHandle>;
}

/** Where a reply to a thread is written. */
export function ReplyBox({ parentId, to, autoFocus = false, ref }: ReplyBoxProps) {
  const writing = useWriting(useSurroundings(), parentId);
  const box = useRef<HTMLTextAreaElement>(null);
  const { draft } = writing;
  useImperativeHandle(ref, () => ({
    takeBack: (text) => {
      writing.keep({ ...draft, text: draft.text === '' ? text : `${draft.text}\n${text}` });
      box.current?.focus();
    },
  }));
  const submit = () => void writing.submit();
  return (
    <div className="flex reply-box">
      <div className="grow">
        <MentionBox
          ref={box}
          label={to}
          hidesLabel
          placeholder={to}
          value={draft.text}
          onChange={writing.write}
          people={writing.people}
          onSubmit={submit}
          error={writing.error}
          autoFocus={autoFocus}
        />
      </div>
      <Button aria-label="Send reply" isDisabled={!writing.canSend} onPress={submit}>
        Reply
      </Button>
    </div>
  );
}
