import { Check } from 'lucide-react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Icon } from './icon';
import './menu.css';
import './popover.css';
import type { SelectSurfaceProps } from './select';
import './keyboard-presses';

/** Loaded by select.tsx when it is first needed. */
export function SelectSurface({ opener, label, options, value, onChoose }: SelectSurfaceProps) {
  const choose = (id: string | undefined) => {
    if (id !== undefined) onChoose(id);
    opener.setOpen(false);
  };
  return (
    <Popover
      className="popover"
      trigger="Select"
      aria-label={label}
      triggerRef={opener.anchor}
      isOpen={opener.isOpen}
      onOpenChange={opener.setOpen}
      placement="bottom start"
      offset={4}
    >
      <ListBox
        className="menu select-list"
        id={opener.id}
        aria-label={label}
        autoFocus={value === undefined ? opener.from : true}
        selectionMode="single"
        selectedKeys={value === undefined ? [] : [value]}
        // Choosing the selected option again empties the selection; the value stays.
        onSelectionChange={(keys) => choose(keys === 'all' ? undefined : [...keys].map(String)[0])}
      >
        {options.map((option) => (
          <ListBoxItem key={option.id} id={option.id} className="item" textValue={option.label}>
            {({ isSelected }) => (
              <>
                <span className="tick">{isSelected && <Icon of={Check} size={14} />}</span>
                <span className="grow">
                  {option.content ?? option.label}
                  {option.note !== undefined && <span className="meta note">{option.note}</span>}
                </span>
              </>
            )}
          </ListBoxItem>
        ))}
      </ListBox>
    </Popover>
  );
}
