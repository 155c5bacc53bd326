"""What compiled code will need soon is asked of memory now; it changes no result."""

from __future__ import annotations

try:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic
except ImportError:  # kernels run as plain Python

    def ask_for(array, place):
        """Do nothing: Python does not say what the processor reads."""

else:

    @intrinsic
    def ask_for(typing_context, array, place):
        """Ask memory for what is at a place of an array, without waiting for it."""

        def write_code(context, builder, signature, arguments):
            kind = signature.args[0]
            structure = context.make_array(kind)(context, builder, arguments[0])
            address = cgutils.get_item_pointer(
                context, builder, kind, structure, [arguments[1]], wraparound=False
            )
            address = builder.bitcast(address, cgutils.voidptr_t)
            number = ir.IntType(32)
            shape = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", [cgutils.voidptr_t], shape)
            # to read, to keep in all caches, data
            builder.call(prefetch, [address, number(0), number(3), number(1)])
            return context.get_dummy_value()

        return types.void(array, types.intp), write_code
