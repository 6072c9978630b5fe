import { useRef } from 'react';
import { FileAudio, type LucideIcon } from 'lucide-react';
import { DropZone as AriaDropZone } from 'react-aria-components/DropZone';
import { formatBytes, formatBytesDone } from '../format/bytes';
import { Button } from './button';
import './drop-zone.css';
import { FieldError } from './field';
import { Icon } from './icon';
import { ProgressBar } from './progress-bar';

export interface DropZoneProps {
  readonly label: string;
  /** What is accepted: 'audio, at most 48 MB'. */
  readonly hint: string;
  /** MIME types for the system's file dialog; the caller checks dropped files. */
  readonly accept: readonly string[];
  readonly file: { readonly name: string; readonly size: number } | undefined;
  readonly onChoose: (file: File) => void;
  /** Bytes sent during an upload; the file cannot be changed meanwhile. */
  readonly sent?: number;
  readonly onCancel?: () => void;
  readonly error?: string | undefined;
  readonly icon?: LucideIcon;
}

function Sending({
  name,
  size,
  sent,
  onCancel,
}: {
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  readonly onCancel: (() => void) | undefined;
}) {
  return (
    <>
      <ProgressBar label={`Uploading ${name}`} done={size === 0 ? undefined : sent / size} />
      <span className="flex">
        <span className="meta num grow">{formatBytesDone(sent, size)}</span>
        {onCancel && (
          <Button size="s" variant="quiet" onPress={onCancel}>
            Cancel
          </Button>
        )}
      </span>
    </>
  );
}

/** One file, by dropping, pasting or the system's dialog, with upload progress. Heavy: load it with its dialog. */
export function DropZone({ label, hint, accept, file, onChoose, sent, onCancel, error, icon = FileAudio }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const isSending = sent !== undefined;
  const openSystemDialog = () => {
    if (!input.current) return;
    // Otherwise choosing the same file again after fixing it fires no change event.
    input.current.value = '';
    input.current.click();
  };
  const take = (files: Iterable<File>) => {
    const [first] = files;
    if (first) onChoose(first);
  };
  return (
    <AriaDropZone
      className="drop"
      aria-label={label}
      isDisabled={isSending}
      getDropOperation={() => 'copy'}
      onDrop={async ({ items }) =>
        take(
          await Promise.all(
            items
              .filter((item) => item.kind === 'file')
              .slice(0, 1)
              .map((item) => item.getFile()),
          ),
        )
      }
    >
      <Icon of={icon} size={18} />
      <b className="cut">{file ? file.name : label}</b>
      <span className="meta">{file ? `${formatBytes(file.size)}, ${hint}` : hint}</span>
      {isSending && file && <Sending name={file.name} size={file.size} sent={sent} onCancel={onCancel} />}
      {!isSending && (
        <>
          <Button size="s" variant="outline" onPress={openSystemDialog}>
            {file ? 'Choose another' : 'Choose a file'}
          </Button>
          <input ref={input} type="file" hidden accept={accept.join(',')} aria-label={label} onChange={(event) => take(event.target.files ?? [])} />
        </>
      )}
      {error !== undefined && <FieldError>{error}</FieldError>}
    </AriaDropZone>
  );
}
