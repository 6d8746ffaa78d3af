//! How the C library's allocator treats memory that is freed.

/// Tells the allocator to keep freed memory for the next request.
///
/// A training step allocates and frees some hundred megabytes in large pieces. By default glibc
/// gives each back to the system at once and has it zeroed again at the next step: a third of the
/// time of both the learner and the players beside it (docs/benchmarks.md). A process that
/// trains needs that memory again 0.1 s later anyway. On other systems nothing is done.
pub fn keep_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(
        unsafe_code,
        reason = "mallopt is a C function; it takes two numbers and keeps neither"
    )]
    // SAFETY: any two integers are allowed, unknown ones are refused with 0; the settings only
    // change where later allocations come from. It is called before training starts threads.
    unsafe {
        // The largest threshold that every version of glibc takes.
        libc::mallopt(libc::M_MMAP_THRESHOLD, 32 << 20);
        libc::mallopt(libc::M_TRIM_THRESHOLD, libc::c_int::MAX);
        libc::mallopt(libc::M_TOP_PAD, 64 << 20);
    }
}
