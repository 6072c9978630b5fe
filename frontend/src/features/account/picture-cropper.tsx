import type { CropBody } from '@roughmix/contracts/users/user.api.js';
import Cropper, { type Area, type Point } from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import { pictureSizeProblem } from './picture-file';
import styles from './picture.module.css';

const KEY_STEP_PX = 4;

export interface PictureCropperProps {
  readonly url: string;
  readonly shape: 'round' | 'rect';
  readonly aspect: number;
  readonly place: Point;
  readonly zoom: number;
  readonly maxZoom: number;
  /** The id of the text that says how to move it. */
  readonly describedBy: string;
  readonly onPlace: (place: Point) => void;
  readonly onZoom: (zoom: number) => void;
  readonly onCrop: (crop: CropBody) => void;
  /** The picture is too large, or, with null, cannot be decoded. */
  readonly onFail: (message: string | null) => void;
}

/** Moves and zooms a picture behind its crop: by pointer, wheel, pinch and arrow keys. Loaded with the first picture. */
export function PictureCropper({ url, shape, aspect, place, zoom, maxZoom, describedBy, onPlace, onZoom, onCrop, onFail }: PictureCropperProps) {
  const report = (_percentages: Area, pixels: Area) => {
    if (pixels.width > 0) onCrop(pixels);
  };
  return (
    <Cropper
      image={url}
      cropShape={shape}
      aspect={aspect}
      crop={place}
      zoom={zoom}
      maxZoom={maxZoom}
      objectFit="cover"
      showGrid={false}
      keyboardStep={KEY_STEP_PX}
      // The content security policy allows no style element.
      disableAutomaticStylesInjection
      classes={{ containerClassName: shape === 'round' ? styles.inset : '', cropAreaClassName: styles.cut }}
      cropperProps={{ role: 'application', 'aria-label': 'Crop', 'aria-describedby': describedBy }}
      mediaProps={{ onError: () => onFail(null) }}
      onCropChange={onPlace}
      onZoomChange={onZoom}
      onCropComplete={report}
      onMediaLoaded={({ naturalWidth, naturalHeight }) => {
        const problem = pictureSizeProblem(naturalWidth, naturalHeight);
        if (problem !== null) onFail(problem);
      }}
    />
  );
}
