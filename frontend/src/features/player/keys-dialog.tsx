import { Fragment } from 'react';
import { Dialog } from '../../shared/ui/dialog';
import { Kbd } from '../../shared/ui/kbd';

/** Keys that do the same thing, and what that is. */
export interface KeyRow {
  readonly keys: readonly string[];
  readonly does: string;
}

const ROWS: readonly KeyRow[] = [
  { keys: ['Space'], does: 'Play and pause; a selected region from its start' },
  { keys: ['Enter'], does: 'Back to the start' },
  { keys: ['←', '→'], does: 'Five seconds back and on' },
  { keys: ['['], does: 'Region begins at the playhead' },
  { keys: [']'], does: 'Region ends at the playhead' },
  { keys: ['L'], does: 'Loop the region, or all of it' },
  { keys: ['Esc'], does: 'Clear the selection' },
  { keys: ['+', '−'], does: 'Zoom in and out' },
];
const LAST: KeyRow = { keys: ['?'], does: 'Show these keys' };

export interface KeysDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Keys of other parts of the page. */
  readonly more?: readonly KeyRow[] | undefined;
}

/** Every key of the page. */
export function KeysDialog({ isOpen, onClose, more = [] }: KeysDialogProps) {
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
      <dl className="key-rows">
        {[...ROWS, ...more, LAST].map(({ keys, does }) => (
          <Fragment key={does}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </Fragment>
        ))}
      </dl>
      <p className="hint">None of them acts while you type.</p>
    </Dialog>
  );
}
