import { ImagePlus } from 'lucide-react';
import { type Ref, useRef, useState } from 'react';
import { Composer, type ComposerHandle } from '../../shared/posts/composer';
import type { SelectedRegion } from '../../shared/posts/new-post';
import { useWriting } from '../../shared/posts/use-writing';
import { useSession } from '../../shared/session/session-provider';
import { IconButton } from '../../shared/ui/icon-button';
import { IMAGE_TYPES, imageFileProblem } from './image-file';
import { useCommentOutbox } from './use-comment-outbox';
import { useCommentPlace } from './use-comment-place';

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

interface NewCommentBoxProps {
  readonly region: SelectedRegion | null;
  readonly ref?: Ref<ComposerHandle>;
}

/** The box for a new comment, or an image as a comment. */
export function NewCommentBox({ region, ref }: NewCommentBoxProps) {
  const { requireAccount } = useSession();
  const outbox = useCommentOutbox();
  const writing = useWriting(useCommentPlace(null), region);
  const [problem, setProblem] = useState<string | null>(null);
  const attach = (file: File) => {
    const found = imageFileProblem(file);
    setProblem(found);
    if (found !== null || !requireAccount()) return;
    outbox.send({ kind: 'image', parentId: null, content: file.name, versionId: writing.versionId, stamp: null, region: null }, file);
  };
  return (
    <Composer
      ref={ref}
      label="New comment"
      placeholder="Say it while it plays"
      sendLabel="Send"
      writing={writing}
      region={region}
      onImage={attach}
      problem={problem}
    >
      <ImagePicker onImage={attach} />
    </Composer>
  );
}
