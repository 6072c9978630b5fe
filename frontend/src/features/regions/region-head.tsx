import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { ChevronDown, Pencil, X } from 'lucide-react';
import { CATEGORY_LABELS, REGION_CATEGORIES } from '@roughmix/contracts/shared/categories.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { relativePast } from '@roughmix/contracts/shared/relative-time.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { isolated, trimmed } from '@roughmix/contracts/shared/visible-text.js';
import { formatSpan } from '../../shared/format/time';
import { Avatar } from '../../shared/ui/avatar';
import { CATEGORY_ICONS, categoryClass } from '../../shared/ui/category';
import { Icon } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { Menu } from '../../shared/ui/menu';
import { Tag } from '../../shared/ui/tag';
import type { ShownRegion } from './shown-region';
import type { RegionEditor } from './use-region-editor';

interface HeadProps {
  readonly editor: RegionEditor;
  readonly region: ShownRegion;
}

/** The category; its creator can change it, or the writer of a post that is being tagged with it. */
function Category({ editor, region }: HeadProps) {
  if (!region.isAdjustable) return <Tag category={region.tag} />;
  const entries = REGION_CATEGORIES.map((tag) => ({
    id: tag,
    label: CATEGORY_LABELS[tag],
    icon: CATEGORY_ICONS[tag],
    onSelect: () => tag !== region.tag && editor.change(region, { tag }),
  }));
  return (
    <Menu
      label="Category"
      entries={entries}
      trigger={({ onPress, ...trigger }) => (
        <button
          {...trigger}
          type="button"
          className={`tag ${categoryClass(region.tag)}`}
          aria-label={`Category: ${CATEGORY_LABELS[region.tag]}`}
          onClick={onPress}
        >
          <Icon of={CATEGORY_ICONS[region.tag]} size={14} />
          {CATEGORY_LABELS[region.tag]}
          <Icon of={ChevronDown} size={12} />
        </button>
      )}
    />
  );
}

/** The label; its creator can edit it. */
function Label({ editor, region }: HeadProps) {
  const [text, setText] = useState<string | null>(null);
  const isCancelled = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  const isOpen = text !== null;
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [isOpen]);
  const done = () => {
    const label = trimmed(text ?? '') || null;
    setText(null);
    if (!isCancelled.current && text !== null && label !== region.label) editor.change(region, { label });
  };
  const open = () => {
    isCancelled.current = false;
    setText(region.label ?? '');
  };
  if (!region.isOwn) return <span className="name cut">{region.title}</span>;
  if (text === null) {
    return (
      <button type="button" className="name edit-label" aria-label={`Label: ${region.title}. Change it`} onClick={open}>
        <span className="cut">{region.title}</span>
        <Icon of={Pencil} size={12} />
      </button>
    );
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // Removing the field blurs it, which would save it.
    isCancelled.current = true;
    setText(null);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    done();
  };
  return (
    <form className="grow" onSubmit={submit}>
      <input
        className="input"
        aria-label="Label"
        ref={field}
        maxLength={LIMITS.label}
        placeholder="What is it about?"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={done}
        onKeyDown={onKeyDown}
      />
    </form>
  );
}

function Author({ region }: { readonly region: ShownRegion }) {
  const [now] = useState(Date.now);
  if (!region.saved) return <span className="meta">Not saved yet</span>;
  const { author, dateAdded, edited } = region.saved;
  return (
    <>
      <Avatar name={fullName(author)} photo={author.smallPhoto} size={20} isDecorative />
      <span className="meta">
        {isolated(fullName(author))}, {relativePast(dateAdded, now)}
        {edited !== null && `, changed ${relativePast(edited, now)}`}
      </span>
    </>
  );
}

/** Category, label, time span and author of the selected region. */
export function RegionHead({ editor, region }: HeadProps) {
  return (
    <div className="flex">
      <Category editor={editor} region={region} />
      <Label editor={editor} region={region} />
      <span className="meta">{formatSpan(region.start, region.end)}</span>
      <span className="flex who">
        <Author region={region} />
        <IconButton size="s" label={region.isDraft ? 'Discard' : 'Clear selection'} keys="Esc" icon={X} onPress={editor.clear} />
      </span>
    </div>
  );
}
