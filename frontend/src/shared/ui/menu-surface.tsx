import { Check } from 'lucide-react';
import { Header, Menu, MenuItem, MenuSection, Separator } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { classNames } from './class-names';
import { Icon } from './icon';
import type { MenuAct, MenuChoices, MenuEntry, MenuLink, MenuSurfaceProps } from './menu';
import './menu.css';
import './popover.css';
import { useShake } from './use-shake';
import './keyboard-presses';

const Words = ({ icon, label, note }: Pick<MenuAct, 'icon' | 'label' | 'note'>) => (
  <>
    {icon && <Icon of={icon} />}
    <span className="grow">
      {label}
      {note !== undefined && <span className="meta note">{note}</span>}
    </span>
  </>
);

function Act({ act }: { readonly act: MenuAct }) {
  const { shake, shaken } = useShake();
  const select = () => {
    if (act.isEmpty === true) shake();
    act.onSelect();
  };
  return (
    <MenuItem
      id={act.id}
      className={classNames('item', act.isDanger && 'danger', shaken.className)}
      textValue={act.label}
      isDisabled={act.isDisabled ?? false}
      shouldCloseOnSelect={act.isEmpty !== true}
      onAction={select}
      onAnimationEnd={shaken.onAnimationEnd}
    >
      <Words {...act} />
      {act.end !== undefined && <span className="meta item-end">{act.end}</span>}
    </MenuItem>
  );
}

function FileLink({ link: { id, label, href, isNewTab = false, ...words } }: { readonly link: MenuLink }) {
  const opens = isNewTab ? { target: '_blank', rel: 'noopener' } : { download: true };
  return (
    <MenuItem id={id} className="item" textValue={label} href={href} {...opens}>
      <Words label={label} {...words} />
    </MenuItem>
  );
}

function Choices({ choices }: { readonly choices: MenuChoices }) {
  return (
    <MenuSection
      id={choices.id}
      selectionMode={choices.mode === 'one' ? 'single' : 'multiple'}
      disallowEmptySelection={choices.mode === 'one'}
      shouldCloseOnSelect={choices.mode === 'one'}
      selectedKeys={choices.chosen}
      onSelectionChange={(keys) => choices.onChange(keys === 'all' ? choices.options.map(({ id }) => id) : [...keys].map(String))}
    >
      <Header className="label">{choices.label}</Header>
      {choices.options.map((option) => (
        <MenuItem key={option.id} id={option.id} className="item" textValue={option.label}>
          {({ isSelected }) => (
            <>
              <span className="tick">{isSelected && <Icon of={Check} size={14} />}</span>
              {option.content ?? option.label}
              {option.end !== undefined && <span className="meta item-end">{option.end}</span>}
            </>
          )}
        </MenuItem>
      ))}
    </MenuSection>
  );
}

const entryOf = (entry: MenuEntry, index: number) => {
  if (entry === 'line') return <Separator key={`line-${index}`} className="line" />;
  if ('href' in entry) return <FileLink key={entry.id} link={entry} />;
  return 'options' in entry ? <Choices key={entry.id} choices={entry} /> : <Act key={entry.id} act={entry} />;
};

/** Loaded by menu.tsx when it is first needed. */
export function MenuSurface({ opener, label, entries, head, placement = 'bottom end' }: MenuSurfaceProps) {
  return (
    <Popover
      className="popover"
      trigger="MenuTrigger"
      aria-label={label}
      triggerRef={opener.anchor}
      isOpen={opener.isOpen}
      onOpenChange={opener.setOpen}
      placement={placement}
      offset={4}
    >
      {head !== undefined && <div className="menu-head">{head}</div>}
      <Menu className="menu" id={opener.id} aria-label={label} autoFocus={opener.from} onClose={() => opener.setOpen(false)}>
        {entries.map(entryOf)}
      </Menu>
    </Popover>
  );
}
