import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { TextWithMentions } from '../writing/text-with-mentions';
import './posts.css';

/** Both clearly exceed the 12 lines that a folded text shows on the widest screen, so that opening it always reveals something. */
const LONG_LINES = 15;
const LONG_TEXT = 1_800;

const isLong = (text: string): boolean => text.length > LONG_TEXT || text.split('\n', LONG_LINES + 1).length > LONG_LINES;

/** The text of a post; a long one is folded until the user opens it. */
export function PostText({ content }: { readonly content: string }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (!isLong(content)) return <TextWithMentions content={content} />;
  const toggle = () => {
    flushSync(() => setOpen(!isOpen));
    // The text that is folded again was above the button, which would be left far below.
    if (isOpen) button.current?.scrollIntoView({ block: 'center' });
  };
  return (
    <>
      <TextWithMentions content={content} isFolded={!isOpen} />
      <button ref={button} type="button" className="link text-fold" aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? 'less' : 'more'}
      </button>
    </>
  );
}
