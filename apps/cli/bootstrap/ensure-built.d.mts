export declare function ensureBuilt(root?: string): Promise<void>;
