package io.holdfast.bench.scoring;

import io.holdfast.boosting.model.Tree;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytecode made for the ensemble: a static method of nested ifs for each tree, in hidden classes of
 * a hundred trees each, which {@code java.lang.classfile} writes and the JVM compiles.
 */
final class GeneratedLayout implements Layout {
  /** What a generated class does. */
  interface Part {
    /** Adds the values of the part's trees, in their order, to a sum. */
    double add(double sum, double[] row);
  }

  /** A class holds 65,535 constants, a double takes two, and a long method is never compiled. */
  private static final int TREES = 100;

  private static final ClassDesc ROW = ConstantDescs.CD_double.arrayType();
  private static final MethodTypeDesc ADD =
      MethodTypeDesc.of(ConstantDescs.CD_double, ConstantDescs.CD_double, ROW);
  private static final MethodTypeDesc VALUE = MethodTypeDesc.of(ConstantDescs.CD_double, ROW);

  private final double intercept;
  private final Part[] parts;

  GeneratedLayout(Ensemble ensemble) {
    intercept = ensemble.intercept();
    List<Ensemble.Member> members = ensemble.members();
    List<Part> made = new ArrayList<>();
    for (int from = 0; from < members.size(); from += TREES) {
      made.add(part(members.subList(from, Math.min(from + TREES, members.size()))));
    }
    parts = made.toArray(Part[]::new);
  }

  private static Part part(List<Ensemble.Member> members) {
    ClassDesc name = ClassDesc.of(GeneratedLayout.class.getPackageName(), "GeneratedPart");
    byte[] bytes = ClassFile.of().build(name, type -> write(type, name, members));
    try {
      return (Part)
          MethodHandles.lookup()
              .defineHiddenClass(bytes, true)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    } catch (IllegalAccessException
        | InstantiationException
        | InvocationTargetException
        | NoSuchMethodException e) {
      throw new IllegalStateException("the generated class cannot be used: " + e, e);
    }
  }

  private static void write(ClassBuilder type, ClassDesc name, List<Ensemble.Member> members) {
    type.withFlags(ClassFile.ACC_FINAL)
        .withInterfaceSymbols(Part.class.describeConstable().orElseThrow())
        .withMethodBody(
            ConstantDescs.INIT_NAME,
            ConstantDescs.MTD_void,
            0,
            code ->
                code.aload(0)
                    .invokespecial(
                        ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                    .return_())
        .withMethodBody(
            "add",
            ADD,
            ClassFile.ACC_PUBLIC,
            code -> {
              code.dload(1);
              for (int k = 0; k < members.size(); k++) {
                code.aload(3).invokestatic(name, "tree" + k, VALUE).dadd();
              }
              code.dreturn();
            });
    for (int k = 0; k < members.size(); k++) {
      Ensemble.Member member = members.get(k);
      type.withMethodBody(
          "tree" + k,
          VALUE,
          ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC,
          code -> write(code, member, member.root()));
    }
  }

  private static void write(CodeBuilder code, Ensemble.Member member, int node) {
    if (node < 0) {
      code.loadConstant(member.value(-1 - node)).dreturn();
      return;
    }
    Tree tree = member.tree();
    Label right = code.newLabel();
    code.aload(0).loadConstant(tree.feature(node)).daload().loadConstant(tree.threshold(node));
    if (tree.missingLeft(node)) {
      code.dcmpl(); // NaN is below
    } else {
      code.dcmpg(); // NaN is above
    }
    code.ifgt(right);
    write(code, member, tree.left(node));
    code.labelBinding(right);
    write(code, member, tree.right(node));
  }

  @Override
  public double score(double[] row) {
    double sum = intercept;
    for (Part part : parts) {
      sum = part.add(sum, row);
    }
    return sum;
  }
}
