/** Where recordings are in an S3-compatible store. The SDK finds the credentials itself. */
export interface S3Settings {
  readonly bucket: string;
  /** Put before every key, such as `recordings/`; may be empty. */
  readonly prefix: string;
  /** Without it, Amazon's for the region. */
  readonly endpoint?: string | undefined;
  /** Without it, what the SDK finds (`AWS_REGION`). */
  readonly region?: string | undefined;
  /** The bucket in the path instead of the host name: for stores without a name for each bucket. */
  readonly forcePathStyle: boolean;
}
