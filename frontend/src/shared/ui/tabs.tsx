import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import './tabs.css';

export interface TabsProps<Value extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly id: Value; readonly label: ReactNode; readonly panel: ReactNode }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** At the end of the row: what belongs to the open panel. */
  readonly beside?: ReactNode;
}

const steps: Readonly<Record<string, (index: number, length: number) => number>> = {
  ArrowRight: (index, length) => (index + 1) % length,
  ArrowLeft: (index, length) => (index - 1 + length) % length,
  Home: () => 0,
  End: (_, length) => length - 1,
};

/** Pages of one place; arrows, Home and End move and open. Only the open panel is in the page. */
export function Tabs<Value extends string>({ label, tabs, value, onChange, beside }: TabsProps<Value>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const open = tabs.find((tab) => tab.id === value);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const index = step(
      tabs.findIndex((tab) => tab.id === value),
      tabs.length,
    );
    const next = tabs[index];
    if (!next) return;
    onChange(next.id);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
  };
  return (
    <>
      <div className="tabs">
        <div role="tablist" aria-label={label} ref={list}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-tab-${tab.id}`}
              aria-selected={tab.id === value}
              aria-controls={tab.id === value ? `${id}-panel` : undefined}
              tabIndex={tab.id === value ? 0 : -1}
              onClick={() => onChange(tab.id)}
              onKeyDown={onKeyDown}
            >
              {tab.label}
            </button>
          ))}
        </div>
        {beside}
      </div>
      {open && (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${open.id}`}>
          {open.panel}
        </div>
      )}
    </>
  );
}
