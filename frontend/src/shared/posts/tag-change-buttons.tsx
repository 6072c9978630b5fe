import { Button } from '../ui/button';

interface TagChangeButtonsProps {
  /** null when there is nothing to undo. */
  readonly onRevert: (() => void) | null;
  readonly onRemove: () => void;
}

/** Undo the writer's change of the region that a post is tagged with, or drop the tag. */
export const TagChangeButtons = ({ onRevert, onRemove }: TagChangeButtonsProps) => (
  <>
    {onRevert !== null && (
      <Button size="s" variant="quiet" onPress={onRevert}>
        Revert original
      </Button>
    )}
    <Button size="s" variant="quiet" onPress={onRemove}>
      Remove tag
    </Button>
  </>
);
