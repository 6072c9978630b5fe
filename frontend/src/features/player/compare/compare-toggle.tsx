import { Rows2 } from 'lucide-react';
import { IconButton } from '../../../shared/ui/icon-button';
import type { Compare } from './use-compare';

/** Shows a second wave under the first; hidden for a single version. */
export function CompareToggle({ compare: { other, isShown, onToggle } }: { readonly compare: Compare }) {
  if (other === null) return null;
  return <IconButton label="Compare two versions" icon={Rows2} isPressed={isShown} onPress={onToggle} />;
}
