import { type ReactNode, useCallback, useLayoutEffect, useRef } from 'react';
import type { Scale, ShownRegion } from './shown-region';
import { classNames } from '../../shared/ui/class-names';
import { categoryClass } from '../../shared/ui/category';
import { Kbd } from '../../shared/ui/kbd';
import { RegionActions } from './region-actions';
import { RegionHead } from './region-head';
import './regions.css';
import type { RegionEditor } from './use-region-editor';

/** The geometry of the wave above the panel. */
export interface PanelView {
  readonly scale: Scale;
  readonly scroll: { readonly get: () => number; readonly subscribe: (listener: () => void) => () => void };
}

export interface RegionPanelProps {
  readonly editor: RegionEditor;
  readonly view: PanelView;
  readonly onPlay: (region: ShownRegion) => void;
  readonly loop: { readonly isOn: boolean; readonly onToggle: () => void };
  /** More buttons for the region, such as Comment. */
  readonly more?: (region: ShownRegion) => ReactNode;
}

const CARET_PX = 16;

/** Keeps the caret at the region's middle while the wave scrolls, and within the card. */
function useCaret(view: PanelView, region: ShownRegion | null) {
  const card = useRef<HTMLDivElement>(null);
  const { scale, scroll } = view;
  const middle = region ? scale.toX((region.start + region.end) / 2) : 0;
  const place = useCallback(() => {
    const { current } = card;
    if (!current) return;
    const x = middle - scroll.get() - current.offsetLeft;
    current.style.setProperty('--caret', `${Math.min(Math.max(x, CARET_PX), current.clientWidth - CARET_PX)}px`);
  }, [middle, scroll]);
  useLayoutEffect(() => {
    // The observer also reports the initial size. Reading it here instead would force a layout.
    const observer = new ResizeObserver(place);
    if (card.current) observer.observe(card.current);
    const unsubscribe = scroll.subscribe(place);
    return () => {
      observer.disconnect();
      unsubscribe();
    };
  }, [place, scroll]);
  return card;
}

function NothingSelected({ mayDraw }: { readonly mayDraw: boolean }) {
  return (
    <p className="region-panel-empty">
      {mayDraw ? (
        <>
          <span className="only-l">
            Drag across the wave to mark a region, or press <Kbd>[</Kbd> and <Kbd>]</Kbd> while it plays.
          </span>
          <span className="only-s">Hold a finger on the wave, then drag, to mark a region.</span>
          <span className="meta">Click a region’s label to come back here.</span>
        </>
      ) : (
        'Press a label over the wave to see what its region is about.'
      )}
    </p>
  );
}

/** The strip below the wave with the selected region. It keeps its height when none is selected. */
export function RegionPanel({ editor, view, onPlay, loop, more }: RegionPanelProps) {
  const { selected } = editor;
  const card = useCaret(view, selected);
  if (!selected) return <NothingSelected mayDraw={editor.drawHandlers !== null} />;
  return (
    <div
      ref={card}
      className={classNames('regpop', categoryClass(selected.tag), selected.isDraft && 'draft')}
      role="group"
      aria-label={`Region: ${selected.title}`}
    >
      <RegionHead key={editor.keyOf(selected.id)} editor={editor} region={selected} />
      <RegionActions editor={editor} region={selected} onPlay={() => onPlay(selected)} loop={loop} onRemove={() => editor.remove(selected.id)}>
        {more?.(selected)}
      </RegionActions>
    </div>
  );
}
