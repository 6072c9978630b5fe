/** The parts of soundtouchjs that the mixer uses. The package has no types. */
declare module 'soundtouchjs' {
  export interface FifoSampleBuffer {
    /** Interleaved stereo. */
    readonly vector: Float32Array;
    readonly startIndex: number;
    readonly frameCount: number;
    putSamples(samples: Float32Array, position: number, frames: number): void;
    /** Drops frames from the front, all of them without an argument. */
    receive(frames?: number): void;
  }

  /** Changes the tempo by overlapping sequences of the input (WSOLA). Lengths are in frames. */
  export class Stretch {
    constructor(createBuffers: boolean);
    inputBuffer: FifoSampleBuffer;
    outputBuffer: FifoSampleBuffer;
    tempo: number;
    /** The end of the last sequence, which the next one is overlapped with. Null before the first. */
    midBuffer: Float32Array | null;
    skipFract: number;
    /** Input needed for one sequence. */
    sampleReq: number;
    readonly overlapLength: number;
    readonly seekWindowLength: number;
    readonly seekLength: number;
    setParameters(sampleRate: number, sequenceMs: number, seekWindowMs: number, overlapMs: number): void;
    seekBestOverlapPosition(): number;
    process(): void;
    clear(): void;
  }
}
