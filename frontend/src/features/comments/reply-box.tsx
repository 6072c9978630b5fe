import { type Ref, useImperativeHandle, useRef } from 'react';
import { Button } from '../../shared/ui/button';
import { MentionBox } from './mention-box';
import { useSurroundings } from './surroundings';
import { useWriting } from './use-writing';

export interface ReplyBoxHandle {
  readonly takeBack: (text: string) => void;
}

/** Where a reply to a thread is written. */
export function ReplyBox({ parentId, to, ref }: { readonly parentId: string; readonly to: string; readonly ref?: Ref<ReplyBoxHandle> }) {
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
        />
      </div>
      <Button aria-label="Send reply" isDisabled={!writing.canSend} onPress={submit}>
        Reply
      </Button>
    </div>
  );
}
