import { Minus, Plus } from 'lucide-react';
import { IconButton } from '../../shared/ui/icon-button';
import { Slider } from '../../shared/ui/slider';
import { ZOOM_MAX, ZOOM_STEP } from './time-scale';

export interface ZoomControlProps {
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
}

/** Zooms from the whole track to single drum hits, in steps of 5. */
export function ZoomControl({ zoom, onZoom }: ZoomControlProps) {
  return (
    <div className="zoom" role="group" aria-label="Zoom">
      <IconButton size="s" label="Zoom out" keys="-" icon={Minus} isDisabled={zoom <= 0} onPress={() => onZoom(zoom - ZOOM_STEP)} />
      <Slider label="Zoom" hidesLabel min={0} max={ZOOM_MAX} step={ZOOM_STEP} value={zoom} onChange={onZoom} />
      <IconButton size="s" label="Zoom in" keys="+" icon={Plus} isDisabled={zoom >= ZOOM_MAX} onPress={() => onZoom(zoom + ZOOM_STEP)} />
    </div>
  );
}
